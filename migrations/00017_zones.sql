-- +goose Up

-- Instants are derived from wall clock by time zone data, which changes with the
-- laws. This is the version by which all of them were last derived; empty when
-- nobody knows.
ALTER TABLE installation ADD COLUMN zones text NOT NULL DEFAULT '';

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_service') THEN
        GRANT UPDATE (zones) ON installation TO kalends_service;
    END IF;
END
$$;
-- +goose StatementEnd
