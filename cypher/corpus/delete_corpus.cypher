// delete_corpus — delete the node of a corpus, its state, and sessions begun meanwhile; the last step of dropping it
// Params  $corpus: STRING
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
MATCH (corpus:Corpus {corpus: $corpus, id: $corpus})
// a session that begins takes this lock, too: it is there by now, or finds no corpus
SET corpus.locked = true
WITH corpus
CALL () { MATCH (session:Session) WHERE session.corpus = $corpus AND session.id IS NOT NULL DETACH DELETE session }
CALL () { MATCH (step:Step) WHERE step.corpus = $corpus AND step.id IS NOT NULL DETACH DELETE step }
CALL () { MATCH (anchor:Anchor) WHERE anchor.corpus = $corpus AND anchor.id IS NOT NULL DETACH DELETE anchor }
OPTIONAL MATCH (state:IngestState {corpus: $corpus, id: $corpus})
DETACH DELETE corpus, state
