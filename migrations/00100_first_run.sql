-- +goose Up

-- The first run makes a site with its administrator and sample events in several steps, and then shows the password once. As long as
-- beginning is true it has not come to its end, and the next start of the program goes on with it.
ALTER TABLE installation ADD COLUMN beginning boolean NOT NULL DEFAULT false;

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_service') THEN
        GRANT UPDATE (beginning) ON installation TO kalends_service;
    END IF;
END
$$;
-- +goose StatementEnd
