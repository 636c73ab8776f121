-- +goose Up

-- Ids of dates of a series that aren't stored now: of those that one write leaves to the
-- next, and of those that a rule doesn't give any more where they are many. What is in it
-- says storage/series_waiting.go.
ALTER TABLE events
    ADD COLUMN waiting_dates bytea;
