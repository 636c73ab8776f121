-- +goose NO TRANSACTION
-- +goose Up

-- Nobody waits for the index to be made: searches use the old one meanwhile. What was begun and broken off begins anew.
SET lock_timeout = 0;
DROP INDEX CONCURRENTLY IF EXISTS events_texts_idx;
CREATE INDEX CONCURRENTLY events_texts_idx ON events USING gin (site_id, search gin_trgm_ops) WITH (gin_pending_list_limit = 512) WHERE texts_indexed;
DROP INDEX CONCURRENTLY IF EXISTS events_search_idx;
RESET lock_timeout;
