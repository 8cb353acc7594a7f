// find_entities — a page of the entities of the dictionary, in order of id
// Params  $corpus: STRING, $after: STRING, $limit: INTEGER
// Returns id: STRING, name: STRING, df: INTEGER, titles: INTEGER, small: STRING
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (entity:Entity)
WHERE entity.corpus = $corpus AND entity.id > $after
WITH entity ORDER BY entity.corpus, entity.id LIMIT $limit
RETURN entity.id AS id, entity.name AS name, entity.df AS df, entity.titles AS titles,
       entity.small AS small
ORDER BY id
