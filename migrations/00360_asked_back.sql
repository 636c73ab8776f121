-- +goose Up

-- The link with which a sender changes what an editor has sent back (ADR 258).
ALTER TABLE submissions ADD COLUMN link bytea; -- SHA-256 of what the latest such letter has; null: there was none
CREATE INDEX submissions_link_idx ON submissions (site_id, link) WHERE link IS NOT NULL;
