-- +goose Up

-- What a key opens, within what its owner may.
ALTER TABLE credentials ADD COLUMN scopes text[];          -- null: all of it
ALTER TABLE credentials ADD COLUMN categories bigint[];    -- the only ones whose events it writes; null: all. One that is gone opens nothing.
ALTER TABLE credentials ADD COLUMN expires_at timestamptz; -- null: never
