"""Generators of committed files: CRDs, the API reference, chart templates. `--check` tells drift instead of writing.

Nothing here ships in an image.
"""
