// upsert_job — add a job to the queue of a corpus; one that exists stays as it is
// Params  $corpus: STRING, $id: STRING, $kind: STRING, $request: STRING, $digest: STRING, $caller: STRING,
//         $receiver: STRING, $spool: STRING
// Returns corpus: STRING, id: STRING, kind: STRING, status: STRING, request: STRING, digest: STRING, caller: STRING,
//         created: INTEGER, started: INTEGER, ended: INTEGER, sequence: INTEGER, attempts: INTEGER, progress: STRING,
//         result: STRING, problem: STRING, holder: STRING, age_ms: INTEGER, receiver: STRING, spool: STRING
// Access  write
// Plan    NodeUniqueIndexSeek
MERGE (job:Job {corpus: $corpus, id: $id})
ON CREATE SET job.kind = $kind, job.status = 'queued', job.request = $request, job.digest = $digest,
              job.caller = $caller, job.created = timestamp(), job.sequence = 1, job.attempts = 0,
              job.receiver = $receiver, job.spool = $spool
RETURN job.corpus AS corpus, job.id AS id, job.kind AS kind, job.status AS status, job.request AS request,
       job.digest AS digest, job.caller AS caller, job.created AS created, job.started AS started, job.ended AS ended,
       job.sequence AS sequence, job.attempts AS attempts, job.progress AS progress, job.result AS result,
       job.problem AS problem, job.holder AS holder, timestamp() - job.heartbeat AS age_ms,
       job.receiver AS receiver, job.spool AS spool
