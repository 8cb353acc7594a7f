// get_document — one document, without its text
// Params  $corpus: STRING, $document: STRING
// Returns document: MAP
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (document:Document {corpus: $corpus, id: $document})
RETURN properties(document) AS document
