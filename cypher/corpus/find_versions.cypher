// find_versions — documents that state when they are valid or what they supersede, in order of id
// Params  $corpus: STRING
// Returns id: STRING, document: MAP
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (document:Document)
WHERE document.corpus = $corpus AND document.id IS NOT NULL
  AND (document.meta_valid_from IS NOT NULL OR document.meta_valid_to IS NOT NULL
    OR document.meta_supersedes IS NOT NULL)
RETURN document.id AS id,
       {valid_from: document.meta_valid_from, valid_to: document.meta_valid_to,
        supersedes: document.meta_supersedes} AS document
ORDER BY id
