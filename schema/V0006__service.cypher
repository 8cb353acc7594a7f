// Keys and jobs of the HTTP service. Internal labels: ServiceKey, Job.
CREATE CONSTRAINT service_key_id IF NOT EXISTS FOR (n:ServiceKey) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT job_id IF NOT EXISTS FOR (n:Job) REQUIRE (n.corpus, n.id) IS UNIQUE;
CREATE INDEX job_status IF NOT EXISTS FOR (n:Job) ON (n.status);
