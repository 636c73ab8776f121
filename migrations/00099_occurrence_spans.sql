-- +goose Up

-- On which days what is listed starts and ends, for lists of what ends after a moment: they begin to read at the first of these days.
CREATE VIEW occurrence_spans WITH (security_invoker = true) AS
SELECT site_id, start_day, end_day
FROM occurrence_days;

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_service') THEN
        GRANT SELECT ON occurrence_spans TO kalends_service;
    END IF;
END
$$;
-- +goose StatementEnd
