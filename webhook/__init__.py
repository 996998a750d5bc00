"""The admission webhook: validates objects and converts provider payloads; it never changes an object."""
