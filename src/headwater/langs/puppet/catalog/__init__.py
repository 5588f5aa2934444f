"""Catalogs: resources, the table of them, what is known of their types, the wire format."""
