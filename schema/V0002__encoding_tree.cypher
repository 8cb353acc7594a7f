// The encoding tree: communities of chunks under one root a corpus. Public labels: EncodingTree, Community.
CREATE CONSTRAINT encoding_tree_id IF NOT EXISTS FOR (n:EncodingTree) REQUIRE (n.corpus, n.id) IS UNIQUE;
CREATE CONSTRAINT community_id IF NOT EXISTS FOR (n:Community) REQUIRE (n.corpus, n.id) IS UNIQUE;
