-- +goose Up

-- A site may have one term or thousands, while most have few. Postgres plans for fifty.
ALTER TABLE terms ALTER COLUMN site_id SET (n_distinct = -0.02);
