-- +goose Up

-- When the version of a site last rose. It never goes back, whatever the clocks of the
-- nodes say: feeds tell it as when they changed.
ALTER TABLE sites
    ADD COLUMN changed_at timestamptz NOT NULL DEFAULT now();
