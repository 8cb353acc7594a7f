// The base of every corpus. Each node carries `corpus`, and (corpus, id) is unique for each label.
// Public labels: Corpus, Document, Chunk, Entity. Internal labels: IngestState and PendingDocument hold what an
// interrupted ingest has to finish, and are gone when there is nothing to finish; SchemaMigration records the
// applied files of this folder, so it belongs to the database and is the one label without a corpus.
CREATE CONSTRAINT schema_migration_version IF NOT EXISTS FOR (n:SchemaMigration) REQUIRE n.version IS UNIQUE;
CREATE CONSTRAINT corpus_id IF NOT EXISTS FOR (n:Corpus) REQUIRE (n.corpus, n.id) IS UNIQUE;
CREATE CONSTRAINT document_id IF NOT EXISTS FOR (n:Document) REQUIRE (n.corpus, n.id) IS UNIQUE;
CREATE CONSTRAINT chunk_id IF NOT EXISTS FOR (n:Chunk) REQUIRE (n.corpus, n.id) IS UNIQUE;
CREATE CONSTRAINT entity_id IF NOT EXISTS FOR (n:Entity) REQUIRE (n.corpus, n.id) IS UNIQUE;
CREATE CONSTRAINT ingest_state_id IF NOT EXISTS FOR (n:IngestState) REQUIRE (n.corpus, n.id) IS UNIQUE;
CREATE CONSTRAINT pending_document_id IF NOT EXISTS FOR (n:PendingDocument) REQUIRE (n.corpus, n.id) IS UNIQUE;
CREATE INDEX entity_name IF NOT EXISTS FOR (n:Entity) ON (n.corpus, n.name);
// Keyword search. The corpus is indexed beside the text, so that a search is narrowed to its corpus inside Lucene.
CREATE FULLTEXT INDEX chunk_text IF NOT EXISTS FOR (n:Chunk) ON EACH [n.title, n.text, n.corpus]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}};
