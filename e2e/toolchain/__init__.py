"""Outside programs that the local stack needs: where they are cached and how they are built from public Go modules."""
