-- +goose Up

-- What people ask of an event before they go to it: what helps people with disabilities there, whom it is for, and whether anybody
-- knows when it ends.
ALTER TABLE events ADD COLUMN accessibility text[] NOT NULL DEFAULT '{}',
    ADD COLUMN audience text[] NOT NULL DEFAULT '{}',
    ADD COLUMN end_unknown boolean NOT NULL DEFAULT false;
ALTER TABLE venues ADD COLUMN accessibility text[] NOT NULL DEFAULT '{}';
