-- +goose Up

-- Sources: where events of a site are read again and again (ADR 134).
CREATE TABLE sources (
    site_id       bigint      NOT NULL,
    id            bigint      NOT NULL, -- version of the site that brought it
    version       bigint      NOT NULL, -- of the site at its last change
    name          text        NOT NULL,
    kind          text        NOT NULL,
    shown         text        NOT NULL DEFAULT '', -- the address without what may be secret in it
    page          text        NOT NULL DEFAULT '', -- the address that readers of events are shown
    sealed        bytea       NOT NULL, -- address, user and password, encrypted
    known         bytea       NOT NULL, -- by which its entries are known again: source of import_identities
    every         integer     NOT NULL, -- seconds
    policy        text        NOT NULL,
    gone          text        NOT NULL,
    given         jsonb       NOT NULL DEFAULT '{}', -- arguments of its imports: what every entry is given
    filter        jsonb,
    active        boolean     NOT NULL DEFAULT true,
    user_id       bigint      NOT NULL, -- who made it
    credential_id bigint      NOT NULL DEFAULT 0, -- with which key; 0: with none
    home          text        NOT NULL, -- scheme and host by which it was made
    read_at       timestamptz,
    success_at    timestamptz,
    next_at       timestamptz, -- of the next reading; null: none is planned
    problem       jsonb,
    counts        jsonb,
    failures      integer     NOT NULL DEFAULT 0, -- one after the other
    failing_since timestamptz,
    told_at       timestamptz, -- when the administrators were told
    etag          text        NOT NULL DEFAULT '', -- of what was read last
    modified      text        NOT NULL DEFAULT '',
    digest        bytea,
    import_id     bigint      NOT NULL DEFAULT 0, -- that waits or runs; 0: none
    lease         text        NOT NULL DEFAULT '',
    lease_until   timestamptz, -- a node reads it
    leaving       boolean     NOT NULL DEFAULT false, -- its events go to the trash, and then it is deleted
    created_at    timestamptz NOT NULL,
    CONSTRAINT sources_pkey PRIMARY KEY (site_id, id),
    CONSTRAINT sources_site_fkey FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE CASCADE,
    CONSTRAINT sources_kind_check CHECK (kind IN ('ics', 'table', 'json', 'schema', 'tec', 'kalends', 'site'))
);

-- When somebody looks at the sources of a site next, and what its pages call them.
ALTER TABLE sites
    ADD COLUMN sources_due timestamptz,
    ADD COLUMN sources     jsonb NOT NULL DEFAULT '{}';
CREATE INDEX sites_sources_due_idx ON sites (sources_due) WHERE sources_due IS NOT NULL;

-- Where an event comes from.
ALTER TABLE events ADD COLUMN source_id bigint;
CREATE INDEX events_source_idx ON events (site_id, source_id) WHERE source_id IS NOT NULL;

ALTER TABLE imports ADD COLUMN source_id bigint NOT NULL DEFAULT 0;

ALTER TABLE sources ENABLE ROW LEVEL SECURITY;
ALTER TABLE sources FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON sources
    USING (site_id = (SELECT nullif(current_setting('kalends.site', true), '')::bigint));

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_service') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON sources TO kalends_service;
    END IF;
END
$$;
-- +goose StatementEnd
