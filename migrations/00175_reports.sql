-- +goose Up

-- Mistakes in events that visitors report, until an editor has seen to them (ADR 172).
ALTER TABLE sites ADD COLUMN reports boolean NOT NULL DEFAULT true; -- anybody may report mistakes

CREATE TABLE reports (
    site_id    bigint      NOT NULL,
    id         text        NOT NULL, -- digest of what was reported about what, and from which network: sent twice, it is kept once
    event_id   bigint      NOT NULL, -- for a date of a series that of the series
    date_id    bigint      NOT NULL, -- of the date; 0: none in particular
    day        text        NOT NULL, -- of the date, year first; "": none in particular
    said       text        NOT NULL,
    email      text        NOT NULL, -- for questions; "": none
    email_key  text        NOT NULL, -- folded
    network    bytea       NOT NULL, -- digest, to be counted
    created_at timestamptz NOT NULL,
    CONSTRAINT reports_pkey PRIMARY KEY (site_id, id),
    CONSTRAINT reports_event_fkey FOREIGN KEY (site_id, event_id) REFERENCES events (site_id, id) ON DELETE CASCADE
);
CREATE INDEX reports_event_idx ON reports (site_id, event_id);

ALTER TABLE reports ENABLE ROW LEVEL SECURITY;
ALTER TABLE reports FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON reports
    USING (site_id = (SELECT nullif(current_setting('kalends.site', true), '')::bigint));

-- What editors decide on reports is in the history.
ALTER TABLE changes
    DROP CONSTRAINT changes_action_check,
    ADD CONSTRAINT changes_action_check CHECK (action IN ('create', 'update', 'trash', 'restore', 'publish', 'delete', 'correct', 'dismiss', 'sign_in', 'sign_in_failed'));

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_service') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON reports TO kalends_service;
    END IF;
END
$$;
-- +goose StatementEnd
