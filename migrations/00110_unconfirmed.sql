-- +goose Up

-- What somebody has sent and not confirmed takes up storage, and crowds out what comes from the network that sends most.
ALTER TABLE unconfirmed_submissions
    ADD COLUMN network bytea NOT NULL DEFAULT '',
    ADD COLUMN bytes bigint NOT NULL DEFAULT 0;
