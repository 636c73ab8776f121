-- +goose Up

-- What the file of an import has that is no event, or that events do not have: kinds and counts.
ALTER TABLE imports ADD COLUMN left_out jsonb;
