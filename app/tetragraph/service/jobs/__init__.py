"""Jobs: stored in Neo4j beside the lease of their corpus, run by one server at a time, resumed by the next."""
