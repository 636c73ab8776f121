-- +goose Up

-- How often events were looked at, put into calendars and bought tickets for on a day, and in how many letters they stood (ADR 221).
CREATE TABLE event_numbers (
    site_id   bigint NOT NULL,
    event_id  bigint NOT NULL,
    day       date   NOT NULL, -- in the site's time zone
    views     bigint NOT NULL DEFAULT 0,
    calendars bigint NOT NULL DEFAULT 0,
    tickets   bigint NOT NULL DEFAULT 0,
    letters   bigint NOT NULL DEFAULT 0,
    CONSTRAINT event_numbers_pkey PRIMARY KEY (site_id, event_id, day),
    CONSTRAINT event_numbers_event_fkey FOREIGN KEY (site_id, event_id) REFERENCES events (site_id, id) ON DELETE CASCADE
);
CREATE INDEX event_numbers_day_idx ON event_numbers (site_id, day);

-- Subscriptions to the calendars of a site, and the letters that it sent.
CREATE TABLE site_numbers (
    site_id   bigint NOT NULL,
    day       date   NOT NULL,
    calendars bigint NOT NULL DEFAULT 0,
    letters   bigint NOT NULL DEFAULT 0,
    CONSTRAINT site_numbers_pkey PRIMARY KEY (site_id, day),
    CONSTRAINT site_numbers_site_fkey FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE CASCADE
);

ALTER TABLE sites ADD COLUMN numbers boolean NOT NULL DEFAULT true;

ALTER TABLE event_numbers ENABLE ROW LEVEL SECURITY;
ALTER TABLE event_numbers FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON event_numbers
    USING (site_id = (SELECT nullif(current_setting('kalends.site', true), '')::bigint));
ALTER TABLE site_numbers ENABLE ROW LEVEL SECURITY;
ALTER TABLE site_numbers FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON site_numbers
    USING (site_id = (SELECT nullif(current_setting('kalends.site', true), '')::bigint));

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_service') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON event_numbers, site_numbers TO kalends_service;
    END IF;
END
$$;
-- +goose StatementEnd
