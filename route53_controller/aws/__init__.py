"""The only home of aiobotocore: sessions, the Route 53 and STS clients, the request budget and the wire form.

Everything outside sees the Protocol in `api` and the errors in `errors`, never a botocore object.
"""
