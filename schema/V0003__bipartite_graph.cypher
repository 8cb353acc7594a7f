// The bipartite graph: facts and the entities that take part in them. Public labels: BipartiteGraph, Relation, Alias
// (a name that was merged into an entity). Internal label: Extraction holds what was extracted from a chunk, so that
// nothing is extracted twice.
CREATE CONSTRAINT bipartite_graph_id IF NOT EXISTS FOR (n:BipartiteGraph) REQUIRE (n.corpus, n.id) IS UNIQUE;
CREATE CONSTRAINT relation_id IF NOT EXISTS FOR (n:Relation) REQUIRE (n.corpus, n.id) IS UNIQUE;
CREATE CONSTRAINT alias_id IF NOT EXISTS FOR (n:Alias) REQUIRE (n.corpus, n.id) IS UNIQUE;
CREATE CONSTRAINT extraction_id IF NOT EXISTS FOR (n:Extraction) REQUIRE (n.corpus, n.id) IS UNIQUE;
CREATE INDEX alias_name IF NOT EXISTS FOR (n:Alias) ON (n.corpus, n.name);
