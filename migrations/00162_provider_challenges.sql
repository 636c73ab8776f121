-- +goose Up

-- What browsers in front of the console were asked by a provider, until they answer (ADR 162).
CREATE TABLE provider_challenges (
    id         bytea       NOT NULL,
    data       bytea       NOT NULL,
    expires_at timestamptz NOT NULL,
    CONSTRAINT provider_challenges_pkey PRIMARY KEY (id)
);

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_service') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON provider_challenges TO kalends_service;
    END IF;
END
$$;
-- +goose StatementEnd
