-- +goose Up

-- Events that anybody may send to a site that takes them.
ALTER TABLE sites
    ADD COLUMN submissions      boolean NOT NULL DEFAULT false, -- anybody may send events
    ADD COLUMN submission_terms text    NOT NULL DEFAULT '',    -- that senders agree to; "": none
    ADD COLUMN submissions_due  timestamptz;                    -- when what was sent is looked at next; null: there is nothing
CREATE INDEX sites_submissions_due_idx ON sites (submissions_due) WHERE submissions_due IS NOT NULL;

-- What was sent and whose address nobody has confirmed yet. It goes after some days.
CREATE TABLE unconfirmed_submissions (
    site_id    bigint      NOT NULL,
    id         bytea       NOT NULL, -- SHA-256 of what the link in the letter has
    email      text        NOT NULL, -- folded, to be counted
    client     bytea       NOT NULL, -- digest of who sent it, to be counted
    sent       jsonb       NOT NULL,
    image      jsonb,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    CONSTRAINT unconfirmed_submissions_pkey PRIMARY KEY (site_id, id),
    CONSTRAINT unconfirmed_submissions_site_fkey FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE CASCADE
);
CREATE INDEX unconfirmed_submissions_created_idx ON unconfirmed_submissions (site_id, created_at);

ALTER TABLE unconfirmed_submissions ENABLE ROW LEVEL SECURITY;
ALTER TABLE unconfirmed_submissions FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON unconfirmed_submissions
    USING (site_id = (SELECT nullif(current_setting('kalends.site', true), '')::bigint));

-- Who sent an event, and what became of it. The event itself is one that waits for approval.
CREATE TABLE submissions (
    site_id    bigint      NOT NULL,
    event_id   bigint      NOT NULL,
    id         bytea       NOT NULL, -- as above
    email      text        NOT NULL,
    sent       jsonb       NOT NULL, -- as the sender has it
    proved     boolean     NOT NULL, -- the address is the sender's
    created_at timestamptz NOT NULL,
    settled    text        NOT NULL DEFAULT '', -- accepted, approved, refused, withdrawn; "": it waits
    settled_at timestamptz,
    settled_by bigint      NOT NULL DEFAULT 0,  -- user id; 0: nobody in particular
    message    text        NOT NULL DEFAULT '', -- to the sender
    letter_at  timestamptz, -- when the sender is written to; null: not
    letters    integer     NOT NULL DEFAULT 0,  -- how often that was tried
    CONSTRAINT submissions_pkey PRIMARY KEY (site_id, event_id),
    CONSTRAINT submissions_id_key UNIQUE (site_id, id),
    CONSTRAINT submissions_event_fkey FOREIGN KEY (site_id, event_id) REFERENCES events (site_id, id) ON DELETE CASCADE
);

ALTER TABLE submissions ENABLE ROW LEVEL SECURITY;
ALTER TABLE submissions FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON submissions
    USING (site_id = (SELECT nullif(current_setting('kalends.site', true), '')::bigint));

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_service') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON unconfirmed_submissions TO kalends_service;
        GRANT SELECT, INSERT, UPDATE, DELETE ON submissions TO kalends_service;
    END IF;
END
$$;
-- +goose StatementEnd
