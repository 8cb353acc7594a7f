// count_finished — notes on changes that the newest complete generation holds, which nobody needs any more
// Params  $corpus: STRING, $published: INTEGER
// Returns notes: INTEGER
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (pending:PendingDocument)
WHERE pending.corpus = $corpus AND pending.id IS NOT NULL AND pending.generation <= $published
RETURN count(*) AS notes
