"""The server certificate: where it comes from, and how a new one is taken up without dropping a request.

It comes from mounted files (cert-manager or by hand) or is self-made with an authority of its own.
"""
