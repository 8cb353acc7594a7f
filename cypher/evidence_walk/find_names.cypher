// find_names — those of some possible names of a question that are entities of the dictionary
// Params  $corpus: STRING, $ids: LIST<STRING>
// Returns id: STRING, name: STRING, df: INTEGER, titles: INTEGER, small: STRING
// Access  read
// Plan    NodeUniqueIndexSeek
UNWIND $ids AS wanted
MATCH (entity:Entity {corpus: $corpus, id: wanted})
WHERE entity.df IS NOT NULL
RETURN entity.id AS id, entity.name AS name, entity.df AS df, entity.titles AS titles, entity.small AS small
ORDER BY id
