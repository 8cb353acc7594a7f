"""Neo4j, GDS, Qdrant and the local server: the only code that imports a driver."""
