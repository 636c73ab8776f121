-- +goose Up

-- How many requests sites got, by hour and by day, for the provider (ADR 256). It is of no site: no archive holds it, and no site sees it.
CREATE TABLE provider_traffic (
    site          bigint      NOT NULL,
    span          text        NOT NULL,
    begins        timestamptz NOT NULL,
    requests      bigint      NOT NULL,
    refused_limit bigint      NOT NULL,
    refused_plan  bigint      NOT NULL,
    refused_busy  bigint      NOT NULL,
    errors        bigint      NOT NULL,
    CONSTRAINT provider_traffic_pkey PRIMARY KEY (site, span, begins),
    CONSTRAINT provider_traffic_span_check CHECK (span IN ('hour', 'day'))
);

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_service') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON provider_traffic TO kalends_service;
    END IF;
END
$$;
-- +goose StatementEnd
