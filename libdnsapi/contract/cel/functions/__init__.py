"""The function libraries: core CEL, and what the Kubernetes environment adds.

A function is an `Overload` in its library's table; adding one is a line there. Impure functions do not exist in CEL.
"""
