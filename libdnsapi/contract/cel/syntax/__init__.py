"""From text to nodes: a scan for what the grammar lacks, the parser of cel-python, and our own tree."""
