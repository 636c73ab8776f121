-- +goose Up

-- Answers to writes with an Idempotency-Key, kept for a day. The row is written in the transaction of the write; what was answered
-- follows before the answer is sent.
CREATE TABLE kept_answers (
    site_id     bigint      NOT NULL,
    id          bytea       NOT NULL, -- SHA-256 of the credential and the key
    fingerprint bytea       NOT NULL, -- SHA-256 of the request
    role        text        NOT NULL, -- of the credential's owner at the time
    at          timestamptz NOT NULL,
    kind        text        NOT NULL DEFAULT '', -- what was written first, as in changes
    object      bigint      NOT NULL DEFAULT 0,
    status      integer     NOT NULL DEFAULT 0,  -- 0: the answer is not known yet
    headers     jsonb,
    body        bytea,                           -- null: it holds a secret that was shown once
    CONSTRAINT kept_answers_pkey PRIMARY KEY (site_id, id),
    CONSTRAINT kept_answers_site_fkey FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE CASCADE
);
CREATE INDEX kept_answers_at_idx ON kept_answers (site_id, at);

ALTER TABLE kept_answers ENABLE ROW LEVEL SECURITY;
ALTER TABLE kept_answers FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON kept_answers
    USING (site_id = (SELECT nullif(current_setting('kalends.site', true), '')::bigint));

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_service') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON kept_answers TO kalends_service;
    END IF;
END
$$;
-- +goose StatementEnd
