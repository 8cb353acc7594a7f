// The terms of a corpus with their document frequencies, from which keyword relevance is computed without an array of
// the whole corpus. Internal label: Term.
CREATE CONSTRAINT term_id IF NOT EXISTS FOR (n:Term) REQUIRE (n.corpus, n.id) IS UNIQUE;
