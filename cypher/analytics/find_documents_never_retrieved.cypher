// find_documents_never_retrieved — documents no session retrieved, with reached entities they name
// Params  $corpus: STRING, $limit: INTEGER = 20
// Returns id: STRING, title: STRING, reached: INTEGER, entities: LIST<STRING>
// Access  read
// Group   evidence
// Plan    NodeUniqueIndexSeek
MATCH (document:Document)
WHERE document.corpus = $corpus AND document.id IS NOT NULL AND NOT EXISTS {
        (document)-[:HAS_CHUNK]->(:Chunk)<-[:RETRIEVED]-(:Step)
      }
OPTIONAL MATCH (document)-[:HAS_CHUNK]->(:Chunk)-[:MENTIONS|DESCRIBES]->(entity:Entity)
WHERE EXISTS { (entity)<-[:REFERS_TO]-(:Anchor) }
WITH document, entity ORDER BY entity.name, entity.id
WITH document, collect(DISTINCT entity.name) AS entities
RETURN document.id AS id, document.title AS title, size(entities) AS reached, entities AS entities
ORDER BY reached DESC, id
LIMIT $limit
