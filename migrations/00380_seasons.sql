-- +goose Up

-- Parts of the year in which the public pages look different (ADR 260): an array of objects, by number. The texts of a season in other
-- languages are among the translations of the site.
ALTER TABLE sites ADD COLUMN seasons jsonb NOT NULL DEFAULT '[]';
