"""Wire models, one kind a file, and the tables that go with them.

Pure data: nothing here reaches I/O, a clock or randomness. CRDs, chart schemas and the API reference are
generated from these models.
"""
