-- +goose Up
-- Whether the home page of the platform lists a site; its own administrators say so.
ALTER TABLE sites
    ADD COLUMN listed boolean NOT NULL DEFAULT false;
CREATE INDEX sites_listed_idx ON sites (lower(name), slug) WHERE listed;
