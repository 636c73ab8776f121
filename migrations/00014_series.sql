-- +goose Up

-- Events that happen again. A series is an event with rules; what it stands in lists
-- with are its rows of occurrences, each with an id of its own from the same counter
-- as events. An occurrence that differs from its series is an event with series_id.
ALTER TABLE events
    ADD COLUMN rules          jsonb,                              -- of a series: {"rrule": [], "rdate": [], "exdate": []}, UNTIL and dates as wall clock
    ADD COLUMN several        boolean   NOT NULL DEFAULT false,   -- a day may have several occurrences
    ADD COLUMN stored_until   timestamp,                          -- of a series that goes on beyond what is stored: its wall clock
    ADD COLUMN last_start_utc timestamptz,                        -- of a series: the last occurrence that is stored
    ADD COLUMN series_id      bigint,
    ADD COLUMN original_start timestamp,                          -- of an occurrence with series_id: the start its rule gives it
    ADD COLUMN overrides      text[]    NOT NULL DEFAULT '{}',    -- what an occurrence with series_id has of its own
    ADD COLUMN event_status   text      NOT NULL DEFAULT 'scheduled',
    ADD COLUMN status_reason  text      NOT NULL DEFAULT '',
    ADD COLUMN previous_start timestamptz,                        -- of one that was rescheduled
    ADD COLUMN attendance     text      NOT NULL DEFAULT 'offline',
    ADD COLUMN virtual_url    text      NOT NULL DEFAULT '',
    ADD COLUMN virtual_shown  text      NOT NULL DEFAULT 'always',
    ADD COLUMN uid            text      NOT NULL DEFAULT '',      -- in calendar files; '': made of the id and the site's
    ADD COLUMN sequence       integer   NOT NULL DEFAULT 0,       -- of changes of time, place or status (RFC 5545 §3.8.7.4)
    ADD CONSTRAINT events_series_fkey FOREIGN KEY (site_id, series_id) REFERENCES events (site_id, id) ON DELETE CASCADE,
    ADD CONSTRAINT events_rules_check CHECK (jsonb_typeof(rules) = 'object'),
    ADD CONSTRAINT events_series_check CHECK (series_id IS NULL OR original_start IS NOT NULL AND rules IS NULL),
    ADD CONSTRAINT events_event_status_check CHECK (event_status IN ('scheduled', 'cancelled', 'postponed', 'rescheduled')),
    ADD CONSTRAINT events_attendance_check CHECK (attendance IN ('offline', 'online', 'mixed')),
    ADD CONSTRAINT events_virtual_shown_check CHECK (virtual_shown IN ('always', 'started', 'never'));
CREATE UNIQUE INDEX events_series_key ON events (site_id, series_id, original_start) WHERE series_id IS NOT NULL;

-- What calendar files name the site's events after, wherever the site moves.
ALTER TABLE sites ADD COLUMN uid uuid NOT NULL DEFAULT gen_random_uuid();

-- n is 0 for the row of an event that happens once, and the id of an occurrence else.
ALTER TABLE occurrences
    ADD COLUMN original_start timestamp, -- the start its rule gives it, where a change of clocks moved that
    ADD COLUMN id bigint NOT NULL GENERATED ALWAYS AS (CASE WHEN n = 0 THEN event_id ELSE n END) STORED;
CREATE UNIQUE INDEX occurrences_n_key ON occurrences (site_id, n) WHERE n <> 0;
DROP INDEX occurrences_listed_idx;
DROP INDEX occurrences_start_idx;
DROP INDEX occurrences_utc_idx;
CREATE INDEX occurrences_listed_idx ON occurrences (site_id, start_local, id) INCLUDE (event_id, n, end_local, original_start) WHERE listed;
CREATE INDEX occurrences_start_idx ON occurrences (site_id, start_local, id) INCLUDE (event_id, n, end_local, original_start);
CREATE INDEX occurrences_utc_idx ON occurrences (site_id, start_utc, id) INCLUDE (event_id, end_utc);

-- Occurrences that a series had: when one comes back, it has its id again.
CREATE TABLE removed_occurrences (
    site_id        bigint      NOT NULL,
    series_id      bigint      NOT NULL,
    original_start timestamp   NOT NULL,
    id             bigint      NOT NULL,
    removed_at     timestamptz NOT NULL,
    CONSTRAINT removed_occurrences_pkey PRIMARY KEY (site_id, series_id, original_start),
    CONSTRAINT removed_occurrences_id_key UNIQUE (site_id, id),
    CONSTRAINT removed_occurrences_series_fkey FOREIGN KEY (site_id, series_id) REFERENCES events (site_id, id) ON DELETE CASCADE
);
ALTER TABLE removed_occurrences ENABLE ROW LEVEL SECURITY;
ALTER TABLE removed_occurrences FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON removed_occurrences USING (site_id = (SELECT NULLIF(current_setting('kalends.site', true), '')::bigint));

-- When a series is due, more of its occurrences are stored.
ALTER TABLE schedule
    DROP CONSTRAINT schedule_kind_check,
    ADD CONSTRAINT schedule_kind_check CHECK (kind IN ('event', 'venue', 'organizer', 'series'));

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_service') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON removed_occurrences TO kalends_service;
    END IF;
END
$$;
-- +goose StatementEnd
