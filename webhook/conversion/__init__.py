"""The server side of Provider conversion: payloads of an old version become payloads of the storage version."""
