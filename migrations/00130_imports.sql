-- +goose Up

-- When somebody looks at the imports of a site next: now where one waits, after the lease where one runs, null where there is none.
ALTER TABLE sites
    ADD COLUMN imports_due    timestamptz,
    ADD COLUMN last_import_id bigint NOT NULL DEFAULT 0;
CREATE INDEX sites_imports_due_idx ON sites (imports_due) WHERE imports_due IS NOT NULL;

-- Imports of events, each with its report.
CREATE TABLE imports (
    site_id     bigint      NOT NULL,
    id          bigint      NOT NULL,
    state       text        NOT NULL,
    format      text        NOT NULL DEFAULT '', -- "": not known yet
    asked       jsonb       NOT NULL DEFAULT '{}', -- the arguments as they were sent, without file and address
    dry_run     boolean     NOT NULL DEFAULT false,
    policy      text        NOT NULL DEFAULT 'update',
    name        text        NOT NULL DEFAULT '', -- of the file
    address     text        NOT NULL DEFAULT '', -- that the file is still to be fetched from
    shown       text        NOT NULL DEFAULT '', -- the address without what may be secret in it
    source      bytea,                           -- digest of what the file comes from; null: not known yet
    received    boolean     NOT NULL DEFAULT true, -- the file is here to its end
    undoes      bigint      NOT NULL DEFAULT 0,  -- the import that this one takes back
    user_id     bigint      NOT NULL DEFAULT 0,  -- who asked; 0: nobody of the site
    credential  bigint      NOT NULL DEFAULT 0,  -- with what; 0: none
    who         text        NOT NULL DEFAULT '',
    via         text        NOT NULL DEFAULT '',
    via_name    text        NOT NULL DEFAULT '',
    client      text        NOT NULL DEFAULT '',
    total       integer     NOT NULL DEFAULT 0, -- entries of the file
    noted       integer     NOT NULL DEFAULT 0, -- entries of the report, and of them:
    created     integer     NOT NULL DEFAULT 0,
    changed     integer     NOT NULL DEFAULT 0,
    same        integer     NOT NULL DEFAULT 0,
    cancelled   integer     NOT NULL DEFAULT 0,
    refused     integer     NOT NULL DEFAULT 0,
    warned      integer     NOT NULL DEFAULT 0,
    columns     jsonb,       -- of a table: what each means
    problem     jsonb,
    created_at  timestamptz NOT NULL,
    started_at  timestamptz,
    finished_at timestamptz,
    undone_at   timestamptz,
    attempt     integer     NOT NULL DEFAULT 0,
    lease       text,
    CONSTRAINT imports_pkey PRIMARY KEY (site_id, id),
    CONSTRAINT imports_site_fkey FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE CASCADE,
    CONSTRAINT imports_state_check CHECK (state IN ('queued', 'running', 'done', 'failed', 'cancelled'))
);
CREATE INDEX imports_waiting_idx ON imports (site_id, id) WHERE state IN ('queued', 'running');

-- The files of imports, in pieces: kept while an import waits or runs, and a week for a dry run.
CREATE TABLE import_files (
    site_id   bigint  NOT NULL,
    import_id bigint  NOT NULL,
    n         integer NOT NULL,
    data      bytea   NOT NULL,
    CONSTRAINT import_files_pkey PRIMARY KEY (site_id, import_id, n),
    CONSTRAINT import_files_import_fkey FOREIGN KEY (site_id, import_id) REFERENCES imports (site_id, id) ON DELETE CASCADE
);

-- What became of each entry of a file.
CREATE TABLE import_entries (
    site_id    bigint  NOT NULL,
    import_id  bigint  NOT NULL,
    number     integer NOT NULL,
    result     text    NOT NULL,
    line       integer NOT NULL DEFAULT 0,
    uid        text    NOT NULL DEFAULT '',
    recurrence text    NOT NULL DEFAULT '',
    title      text    NOT NULL DEFAULT '',
    start      text    NOT NULL DEFAULT '',
    event_id   bigint  NOT NULL DEFAULT 0,
    version    bigint  NOT NULL DEFAULT 0, -- of the write; 0: nothing was written
    fields     text[]  NOT NULL DEFAULT '{}',
    found      jsonb,                      -- problems and warnings
    was        jsonb,                      -- the identity that a change replaced
    CONSTRAINT import_entries_pkey PRIMARY KEY (site_id, import_id, number),
    CONSTRAINT import_entries_import_fkey FOREIGN KEY (site_id, import_id) REFERENCES imports (site_id, id) ON DELETE CASCADE
);

-- Venues, organizers, categories and tags that an import made.
CREATE TABLE import_made (
    site_id   bigint NOT NULL,
    import_id bigint NOT NULL,
    kind      text   NOT NULL,
    id        bigint NOT NULL,
    CONSTRAINT import_made_pkey PRIMARY KEY (site_id, import_id, kind, id),
    CONSTRAINT import_made_import_fkey FOREIGN KEY (site_id, import_id) REFERENCES imports (site_id, id) ON DELETE CASCADE
);

-- By what an entry is known again when its source is read another time, and what it said last.
CREATE TABLE import_identities (
    site_id    bigint      NOT NULL,
    source     bytea       NOT NULL, -- digest
    uid        text        NOT NULL, -- of the file, or made of start, title and place
    recurrence text        NOT NULL DEFAULT '', -- of a date of a series: its original start
    event_id   bigint      NOT NULL, -- of a date: its series
    date_id    bigint      NOT NULL DEFAULT 0, -- of a date: its own
    place      bytea       NOT NULL, -- digest of start, title and place
    digest     bytea       NOT NULL, -- of said
    sequence   bigint      NOT NULL DEFAULT 0,
    modified   timestamptz,
    version    bigint      NOT NULL DEFAULT 0, -- of the site, when an import wrote the event last
    kept       text[]      NOT NULL DEFAULT '{}', -- fields that people changed here
    said       jsonb       NOT NULL, -- the arguments of the entry
    CONSTRAINT import_identities_pkey PRIMARY KEY (site_id, source, uid, recurrence),
    CONSTRAINT import_identities_site_fkey FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE CASCADE
);
CREATE INDEX import_identities_event_idx ON import_identities (site_id, event_id);

-- What people said the columns of a table mean, by its header.
CREATE TABLE import_columns (
    site_id bigint      NOT NULL,
    header  bytea       NOT NULL, -- digest
    columns jsonb       NOT NULL,
    at      timestamptz NOT NULL,
    CONSTRAINT import_columns_pkey PRIMARY KEY (site_id, header),
    CONSTRAINT import_columns_site_fkey FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE CASCADE
);

-- +goose StatementBegin
DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['imports', 'import_files', 'import_entries', 'import_made', 'import_identities', 'import_columns'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY site ON %I USING (site_id = (SELECT nullif(current_setting(''kalends.site'', true), '''')::bigint))', name);
        IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_service') THEN
            EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO kalends_service', name);
        END IF;
    END LOOP;
END
$$;
-- +goose StatementEnd
