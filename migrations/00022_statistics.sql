-- +goose Up

-- Postgres learns about a site from the next ANALYZE, and by default waits until a tenth of
-- a table has changed. Beside a few hundred thousand rows of others a new site with ten
-- thousand events was unknown for good, and a search there took longer than it may. What
-- ANALYZE costs doesn't grow with the table, so it is done after so many changes, however
-- large that is.
ALTER TABLE events SET (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 2000);
ALTER TABLE occurrences SET (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 2000);
ALTER TABLE event_venues SET (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 2000);
ALTER TABLE event_organizers SET (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 2000);
ALTER TABLE event_terms SET (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 2000);
ALTER TABLE venues SET (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 2000);
ALTER TABLE organizers SET (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 2000);
