# A port that a server may listen on.
type Apache::Port = Integer[1, 65535]
