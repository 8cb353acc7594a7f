// find_jobs — the newest jobs of a corpus
// Params  $corpus: STRING, $limit: INTEGER
// Returns corpus: STRING, id: STRING, kind: STRING, status: STRING, request: STRING, digest: STRING, caller: STRING,
//         created: INTEGER, started: INTEGER, ended: INTEGER, sequence: INTEGER, attempts: INTEGER, progress: STRING,
//         result: STRING, problem: STRING, holder: STRING, age_ms: INTEGER, receiver: STRING, spool: STRING
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (job:Job)
WHERE job.corpus = $corpus AND job.id IS NOT NULL
RETURN job.corpus AS corpus, job.id AS id, job.kind AS kind, job.status AS status, job.request AS request,
       job.digest AS digest, job.caller AS caller, job.created AS created, job.started AS started, job.ended AS ended,
       job.sequence AS sequence, job.attempts AS attempts, job.progress AS progress, job.result AS result,
       job.problem AS problem, job.holder AS holder, timestamp() - job.heartbeat AS age_ms,
       job.receiver AS receiver, job.spool AS spool
ORDER BY created DESC, id
LIMIT $limit
