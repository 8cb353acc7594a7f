// find_documents_joined_once — documents of different themes that one rare entity alone joins
// Params  $corpus: STRING, $most: INTEGER = 3, $level: INTEGER = 1, $limit: INTEGER = 20
// Returns entity: STRING, name: STRING, documents: INTEGER, first: STRING, first_title: STRING,
//         second: STRING, second_title: STRING
// Access  read
// Group   bridges
// Plan    NodeUniqueIndexSeek
MATCH (entity:Entity)
WHERE entity.corpus = $corpus AND entity.id IS NOT NULL
WITH entity, COLLECT {
       MATCH (entity)<-[:MENTIONS|DESCRIBES]-(:Chunk)<-[:HAS_CHUNK]-(document:Document)
       RETURN DISTINCT document ORDER BY document.id
     } AS found
WHERE 2 <= size(found) <= $most
UNWIND found AS first
UNWIND found AS second
WITH entity, size(found) AS documents, first, second
WHERE first.id < second.id
WITH entity, documents, first, second ORDER BY documents, entity.id, first.id, second.id
WHERE NOT EXISTS {
        MATCH (first)-[:HAS_CHUNK]->(:Chunk)-[:MENTIONS|DESCRIBES]->(another:Entity)
        MATCH (another)<-[:MENTIONS|DESCRIBES]-(:Chunk)<-[:HAS_CHUNK]-(second)
        WHERE another <> entity
      }
  AND NOT EXISTS {
        MATCH (first)-[:HAS_CHUNK]->(:Chunk)<-[:CONTAINS*]-(theme:Community)
        MATCH (theme)-[:CONTAINS*]->(:Chunk)<-[:HAS_CHUNK]-(second)
        WHERE theme.level = $level
      }
RETURN entity.id AS entity, entity.name AS name, documents AS documents, first.id AS first,
       first.title AS first_title, second.id AS second, second.title AS second_title
ORDER BY documents, entity, first, second
LIMIT $limit
