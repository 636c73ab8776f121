-- +goose Up

-- Pictures from before their dominant colors were told (00321) get them in the background. This is the number of the rules by which all of them
-- were last looked at.
ALTER TABLE installation ADD COLUMN tones integer NOT NULL DEFAULT 0;

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_service') THEN
        GRANT UPDATE (tones) ON installation TO kalends_service;
    END IF;
END
$$;
-- +goose StatementEnd
