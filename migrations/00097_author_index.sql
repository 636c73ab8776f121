-- +goose Up

-- An index that begins with the site serves any lookup of an event by its key, as the primary key does, to a planner that
-- takes sites to have one event each: while the tables are young it may read all events of a site for each lookup.
CREATE INDEX events_of_author_idx ON events (author, site_id);
DROP INDEX events_author_idx;
