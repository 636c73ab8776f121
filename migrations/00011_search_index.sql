-- +goose Up

-- The texts of new events wait in a list until somebody's write moves them into the
-- index. With the 4 MB that Postgres lets it grow to that somebody waited 30 to 100
-- milliseconds, and every search read the list; this much is an eighth of that, and
-- costs all writes together as good as nothing.
ALTER INDEX events_search_idx SET (gin_pending_list_limit = 512);
