-- +goose Up

-- From which network a confirmed submission came, as a digest: those that wait are limited by network, so that nobody closes the form
-- for others.
ALTER TABLE submissions ADD COLUMN network bytea NOT NULL DEFAULT '';
