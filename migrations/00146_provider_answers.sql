-- +goose Up

-- Answers to writes of the provider with an Idempotency-Key, as kept_answers are those of sites.
CREATE TABLE provider_answers (
    id          bytea       NOT NULL, -- SHA-256 of the token and the key
    attempt     bytea       NOT NULL, -- the request that noted it: a transaction may note it more than once
    fingerprint bytea       NOT NULL, -- SHA-256 of the request
    at          timestamptz NOT NULL,
    kind        text        NOT NULL DEFAULT '', -- what was written, as in the histories
    object      bigint      NOT NULL DEFAULT 0,
    status      integer     NOT NULL DEFAULT 0,  -- 0: the answer is not known yet
    headers     jsonb,
    body        bytea,                           -- null: it holds a secret that was shown once
    CONSTRAINT provider_answers_pkey PRIMARY KEY (id)
);
CREATE INDEX provider_answers_at_idx ON provider_answers (at);

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_service') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON provider_answers TO kalends_service;
    END IF;
END
$$;
-- +goose StatementEnd
