"""DNS semantics without Kubernetes: names, the seven record types, and findings about them.

Pure data in, pure data out. It does not resolve, does not know any provider, and never changes what people wrote.
"""
