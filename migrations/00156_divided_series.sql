-- +goose Up

-- Where the dates of a series went that was divided: from a start on they are those of another event. Addresses that name
-- the series lead there. It was a row of former_dates for each date.
CREATE TABLE divided_series (
    site_id    bigint    NOT NULL,
    series_id  bigint    NOT NULL,
    from_start timestamp NOT NULL,
    heir_id    bigint    NOT NULL,
    CONSTRAINT divided_series_pkey PRIMARY KEY (site_id, series_id, from_start),
    CONSTRAINT divided_series_series_fkey FOREIGN KEY (site_id, series_id) REFERENCES events (site_id, id) ON DELETE CASCADE,
    CONSTRAINT divided_series_heir_fkey FOREIGN KEY (site_id, heir_id) REFERENCES events (site_id, id) ON DELETE CASCADE
);
CREATE INDEX divided_series_heir_idx ON divided_series (site_id, heir_id);
ALTER TABLE divided_series ENABLE ROW LEVEL SECURITY;
ALTER TABLE divided_series FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON divided_series USING (site_id = (SELECT NULLIF(current_setting('kalends.site', true), '')::bigint));

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_service') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON divided_series TO kalends_service;
    END IF;
END
$$;
-- +goose StatementEnd
