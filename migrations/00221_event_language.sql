-- +goose Up
-- Which languages are spoken at an event, and until when one must have registered for it (rule 5.13).
ALTER TABLE events
    ADD COLUMN event_language text[] NOT NULL DEFAULT '{}',
    ADD COLUMN registration_until text NOT NULL DEFAULT '';
