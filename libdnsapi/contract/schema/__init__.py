"""Payload schemas of Providers: structural OpenAPI v3, as CRDs have it (Kubernetes documentation, CRD schemas).

One difference is meant: `additionalProperties: false` is allowed, because nothing prunes a payload.
"""
