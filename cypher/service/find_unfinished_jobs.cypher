// find_unfinished_jobs — jobs of all corpora that wait or run, oldest first, without their requests
// Params  none
// Returns corpus: STRING, id: STRING, kind: STRING, status: STRING, digest: STRING, caller: STRING, created: INTEGER,
//         started: INTEGER, ended: INTEGER, sequence: INTEGER, attempts: INTEGER, problem: STRING, holder: STRING,
//         age_ms: INTEGER, receiver: STRING, spool: STRING
// Access  read
// Plan    NodeIndexSeek
MATCH (job:Job)
WHERE job.status IN ['queued', 'running']
RETURN job.corpus AS corpus, job.id AS id, job.kind AS kind, job.status AS status, job.digest AS digest,
       job.caller AS caller, job.created AS created, job.started AS started, job.ended AS ended,
       job.sequence AS sequence, job.attempts AS attempts, job.problem AS problem, job.holder AS holder,
       timestamp() - job.heartbeat AS age_ms, job.receiver AS receiver, job.spool AS spool
ORDER BY created, id
