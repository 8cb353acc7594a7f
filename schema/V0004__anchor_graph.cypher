// The anchor graph: searches in several steps, each kept as a session. Public labels: Session, Step, Anchor.
CREATE CONSTRAINT session_id IF NOT EXISTS FOR (n:Session) REQUIRE (n.corpus, n.id) IS UNIQUE;
CREATE CONSTRAINT step_id IF NOT EXISTS FOR (n:Step) REQUIRE (n.corpus, n.id) IS UNIQUE;
CREATE CONSTRAINT anchor_id IF NOT EXISTS FOR (n:Anchor) REQUIRE (n.corpus, n.id) IS UNIQUE;
CREATE INDEX session_started IF NOT EXISTS FOR (n:Session) ON (n.corpus, n.started);
CREATE INDEX session_expires IF NOT EXISTS FOR (n:Session) ON (n.corpus, n.expires);
CREATE INDEX session_series IF NOT EXISTS FOR (n:Session) ON (n.corpus, n.series);
