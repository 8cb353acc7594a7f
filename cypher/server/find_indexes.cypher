// find_indexes — every index with the labels and properties it covers; a uniqueness constraint is the index of its name
// Params  none
// Returns name: STRING, labels: LIST<STRING>, properties: LIST<STRING>, is_constraint: BOOLEAN, is_fulltext: BOOLEAN,
//         state: STRING
// Access  read
SHOW INDEXES YIELD name, type, labelsOrTypes, properties, owningConstraint, state
WHERE type <> 'LOOKUP'
RETURN name AS name, labelsOrTypes AS labels, properties AS properties,
       owningConstraint IS NOT NULL AS is_constraint, type = 'FULLTEXT' AS is_fulltext, state AS state
ORDER BY name
