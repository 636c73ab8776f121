-- +goose Up

-- What a new site gets where its creation doesn't say: language, timezone, currency_code, plan and theme. What isn't there is the program's own.
ALTER TABLE installation ADD COLUMN new_sites jsonb NOT NULL DEFAULT '{}';

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_service') THEN
        GRANT UPDATE (new_sites) ON installation TO kalends_service;
    END IF;
END
$$;
-- +goose StatementEnd
