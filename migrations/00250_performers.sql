-- +goose Up
-- Who performs at an event, one name a line, and where there is a video about it (rule 5.14).
ALTER TABLE events
    ADD COLUMN performers text NOT NULL DEFAULT '',
    ADD COLUMN video_url text NOT NULL DEFAULT '';
