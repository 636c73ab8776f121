-- +goose Up

-- What a change replaced and nobody is shown: it is there for undoing alone.
ALTER TABLE changes
    ADD COLUMN kept jsonb;
