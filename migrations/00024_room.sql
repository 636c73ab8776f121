-- +goose Up

-- Where a page has room a changed event stays on it, and unless it has another text, day
-- or name no index hears of it: the one over texts costs more than all the rest.
ALTER TABLE events SET (fillfactor = 90);
