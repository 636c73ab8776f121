-- +goose Up

-- What authors would publish waits for an editor (ADR 208).
ALTER TABLE sites ADD COLUMN review boolean NOT NULL DEFAULT false;

-- The area of authors and contributors: the only categories, venues and organizers whose events they write. Empty: all. One that is gone
-- opens nothing.
ALTER TABLE users ADD COLUMN categories bigint[] NOT NULL DEFAULT '{}';
ALTER TABLE users ADD COLUMN venues bigint[] NOT NULL DEFAULT '{}';
ALTER TABLE users ADD COLUMN organizers bigint[] NOT NULL DEFAULT '{}';
