"""ZoneClass: says whether a class of ours is statically acceptable. It calls nothing at AWS."""
