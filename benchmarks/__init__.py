"""Benchmarks: each prints JSON lines, machine facts first."""
