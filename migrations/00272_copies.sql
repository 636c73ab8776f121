-- +goose Up

-- Copies of sites are kept for as many days as was asked, and a site becomes again what a copy of it holds.
ALTER TABLE jobs
    ADD COLUMN keep_days smallint NOT NULL DEFAULT 1,
    DROP CONSTRAINT jobs_kind_check,
    ADD CONSTRAINT jobs_kind_check CHECK (kind IN ('export', 'import', 'restore'));
CREATE UNIQUE INDEX jobs_restore_key ON jobs (object) WHERE kind = 'restore' AND state IN ('queued', 'running');
