// upsert_extractions — write the extractions of chunks
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
UNWIND $rows AS row
MERGE (extraction:Extraction {corpus: $corpus, id: row.id})
SET extraction.extractor = row.extractor, extraction.facts = row.facts, extraction.titles = row.titles
