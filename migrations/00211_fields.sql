-- +goose Up

-- Fields that a site adds to its events and venues: their definitions, and what events and venues have in them.
ALTER TABLE sites ADD COLUMN fields jsonb NOT NULL DEFAULT '[]';
ALTER TABLE events ADD COLUMN fields jsonb;
ALTER TABLE venues ADD COLUMN fields jsonb;
