-- +goose NO TRANSACTION
-- +goose Up

-- While events has no rows, as after a dry run of an import that was rolled back, Postgres takes all of its indexes to cost the
-- same, and this one served lookups of an event by its key: each read all entries of the site. A lookup by author implies the
-- condition, one by key does not. Nobody waits for the index to be made; what was begun and broken off begins anew.
SET lock_timeout = 0;
DROP INDEX CONCURRENTLY IF EXISTS events_of_author_idx;
CREATE INDEX CONCURRENTLY events_of_author_idx ON events (author, site_id) WHERE author IS NOT NULL;
RESET lock_timeout;
