-- +goose Up

-- What takes longer than a request: exports of sites and imports of archives. Who
-- works on a job holds its lease, and extends it while they live; a job whose
-- lease has run out is taken up by somebody else. It names the site by its number
-- and outlives it.
CREATE TABLE jobs (
    id          bigint      NOT NULL GENERATED ALWAYS AS IDENTITY,
    kind        text        NOT NULL,
    state       text        NOT NULL,
    site        text        NOT NULL,            -- slug of the site
    object      bigint      NOT NULL DEFAULT 0,  -- its number; of an import once it is made
    become      jsonb,                           -- what an imported site is to be other than it was
    attempt     integer     NOT NULL DEFAULT 0,
    done        bigint      NOT NULL DEFAULT 0,  -- bytes
    total       bigint      NOT NULL DEFAULT 0,  -- bytes; 0: not known yet
    bytes       bigint      NOT NULL DEFAULT 0,  -- of the archive
    sha256      text        NOT NULL DEFAULT '', -- of an exported archive
    problem     jsonb,
    who         text        NOT NULL,            -- asked for it, as in provider_changes
    via         text        NOT NULL,
    address     text        NOT NULL,
    lease       text,                            -- tells who holds the job
    lease_until timestamptz,
    created_at  timestamptz NOT NULL,
    started_at  timestamptz,
    finished_at timestamptz,
    purge_at    timestamptz,
    CONSTRAINT jobs_pkey PRIMARY KEY (id),
    CONSTRAINT jobs_kind_check CHECK (kind IN ('export', 'import')),
    CONSTRAINT jobs_state_check CHECK (state IN ('queued', 'running', 'done', 'failed', 'cancelled')),
    CONSTRAINT jobs_finished_check CHECK ((state IN ('queued', 'running')) = (finished_at IS NULL) AND (finished_at IS NULL) = (purge_at IS NULL))
);
CREATE UNIQUE INDEX jobs_export_key ON jobs (object) WHERE kind = 'export' AND state IN ('queued', 'running');
CREATE INDEX jobs_open_idx ON jobs (id) WHERE state IN ('queued', 'running');
CREATE INDEX jobs_purge_idx ON jobs (purge_at) WHERE purge_at IS NOT NULL;

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_service') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON jobs TO kalends_service;
    END IF;
END
$$;
-- +goose StatementEnd
