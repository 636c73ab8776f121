-- +goose Up

-- What authors publish waits for an editor, who can send it back with a note (ADR 208).
ALTER TABLE sites ADD COLUMN review boolean NOT NULL DEFAULT false;
ALTER TABLE events ADD COLUMN review_note text NOT NULL DEFAULT '';

-- The area of authors and contributors: the only categories, venues and organizers whose events they write. Empty: all. One that is gone
-- opens nothing.
ALTER TABLE users ADD COLUMN categories bigint[] NOT NULL DEFAULT '{}';
ALTER TABLE users ADD COLUMN venues bigint[] NOT NULL DEFAULT '{}';
ALTER TABLE users ADD COLUMN organizers bigint[] NOT NULL DEFAULT '{}';
