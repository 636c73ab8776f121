-- +goose Up

-- Feeds tell for a month what is there no more: events that were deleted, taken back
-- or hidden. They are a small part of what happens.
CREATE INDEX changes_gone_idx ON changes (site_id, at)
    WHERE kind = 'event' AND (action = 'delete' OR before ->> 'status' = 'publish' OR before ->> 'hide_from_listings' = 'false');
