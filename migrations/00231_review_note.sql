-- +goose Up

-- What an editor asks the author of an event to change who has submitted it for review (ADR 231).
ALTER TABLE events ADD COLUMN review_note text NOT NULL DEFAULT '';
