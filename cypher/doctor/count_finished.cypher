// count_finished — number of notes on changes that the newest complete generation contains
// Params  $corpus: STRING, $published: INTEGER
// Returns notes: INTEGER
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (pending:PendingDocument)
WHERE pending.corpus = $corpus AND pending.id IS NOT NULL AND pending.generation <= $published
RETURN count(*) AS notes
