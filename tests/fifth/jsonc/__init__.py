"""JSON with comments: the smallest language that does everything Headwater asks of one."""
