-- +goose Up

-- Where dates of series were before: their public addresses lead on. id is that of the
-- occurrence, wherever it is now.
CREATE TABLE former_dates (
    site_id        bigint    NOT NULL,
    series_id      bigint    NOT NULL,
    original_start timestamp NOT NULL,
    id             bigint    NOT NULL,
    CONSTRAINT former_dates_pkey PRIMARY KEY (site_id, series_id, original_start),
    CONSTRAINT former_dates_series_fkey FOREIGN KEY (site_id, series_id) REFERENCES events (site_id, id) ON DELETE CASCADE
);
ALTER TABLE former_dates ENABLE ROW LEVEL SECURITY;
ALTER TABLE former_dates FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON former_dates USING (site_id = (SELECT NULLIF(current_setting('kalends.site', true), '')::bigint));

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_service') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON former_dates TO kalends_service;
    END IF;
END
$$;
-- +goose StatementEnd
