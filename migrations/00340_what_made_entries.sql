-- +goose Up

-- Which import made an entry of the history. Until now it was guessed by the person and the second.
ALTER TABLE changes ADD COLUMN import_id bigint;

-- The version at which what a site holds was replaced by what another site held. Entries of the history up to it are about other objects and
-- users, which had the same ids (ADR 340).
ALTER TABLE sites ADD COLUMN replaced_version bigint NOT NULL DEFAULT -1;
