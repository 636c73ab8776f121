-- +goose Up
-- Imports ask which names that calendars have for their events are taken.
CREATE INDEX events_uid_idx ON events (site_id, uid) WHERE uid <> '';
