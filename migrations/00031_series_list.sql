-- +goose Up

-- Lists of whole series find them, and when each happens next. In lists of each time
-- it happens nothing changes.
CREATE INDEX events_series_idx ON events (site_id, id) WHERE rules IS NOT NULL OR series_id IS NOT NULL;
CREATE INDEX occurrences_series_idx ON occurrences (site_id, event_id, start_local) WHERE n <> 0;
