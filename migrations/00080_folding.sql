-- +goose Up

-- Texts that are searched are folded by the program, whose rules change now and then. This is
-- the number of those by which all of them were last folded.
ALTER TABLE installation ADD COLUMN folding integer NOT NULL DEFAULT 0;

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_service') THEN
        GRANT UPDATE (folding) ON installation TO kalends_service;
    END IF;
END
$$;
-- +goose StatementEnd
