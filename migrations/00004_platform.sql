-- +goose Up

-- Plans: what sites are granted. NULL is no limit.
CREATE TABLE plans (
    name                text        NOT NULL,
    max_events          bigint,
    max_users           bigint,
    max_media_bytes     bigint,
    requests_per_minute integer,
    geo                 boolean     NOT NULL DEFAULT true,
    created_at          timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT plans_pkey PRIMARY KEY (name),
    CONSTRAINT plans_name_check CHECK (name ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
    CONSTRAINT plans_limits_check CHECK (max_events >= 0 AND max_users >= 0 AND max_media_bytes >= 0 AND requests_per_minute > 0)
);
INSERT INTO plans (name) VALUES ('unlimited');

-- What a site has of a plan and beside it, what it uses, and when it goes. The
-- version before counts nothing, so what is used is counted anew whenever a site
-- gets another plan.
ALTER TABLE sites
    ADD COLUMN plan             text   NOT NULL DEFAULT 'unlimited',
    ADD COLUMN overrides        jsonb  NOT NULL DEFAULT '{}', -- name of a limit → number, or null for none
    ADD COLUMN used_events      bigint NOT NULL DEFAULT 0,
    ADD COLUMN used_users       bigint NOT NULL DEFAULT 0,
    ADD COLUMN used_media_bytes bigint NOT NULL DEFAULT 0,
    ADD COLUMN deleted_at       timestamptz,
    ADD COLUMN purge_at         timestamptz,
    ADD COLUMN deleted_state    text, -- the state to go back to
    ADD CONSTRAINT sites_plan_fkey FOREIGN KEY (plan) REFERENCES plans (name),
    ADD CONSTRAINT sites_overrides_check CHECK (jsonb_typeof(overrides) = 'object'),
    ADD CONSTRAINT sites_deleted_check CHECK ((deleted_at IS NULL) = (purge_at IS NULL) AND (deleted_at IS NULL) = (deleted_state IS NULL));
CREATE INDEX sites_plan_idx ON sites (plan);
CREATE INDEX sites_purge_idx ON sites (purge_at) WHERE purge_at IS NOT NULL;

-- +goose StatementBegin
DO $$
DECLARE
    one bigint;
BEGIN
    FOR one IN SELECT id FROM sites LOOP
        PERFORM set_config('kalends.site', one::text, true); -- the policies hold the tables' owner too
        UPDATE sites s
        SET used_events = (SELECT count(*) FROM events e WHERE e.site_id = one),
            used_users = (SELECT count(*) FROM users u WHERE u.site_id = one),
            used_media_bytes = (
                SELECT coalesce(sum(i.bytes + (SELECT coalesce(sum((z ->> 'bytes')::bigint), 0) FROM jsonb_array_elements(i.sizes) z)), 0)
                FROM images i
                WHERE i.site_id = one
            )
        WHERE s.id = one;
    END LOOP;
    PERFORM set_config('kalends.site', '', true);
END
$$;
-- +goose StatementEnd

-- Who says so that a domain is a site's.
ALTER TABLE domains
    ADD COLUMN verified_by text        NOT NULL DEFAULT 'provider',
    ADD COLUMN verified_at timestamptz NOT NULL DEFAULT now(),
    ADD CONSTRAINT domains_verified_check CHECK (verified_by IN ('provider', 'dns', 'http'));

-- Domains that sites ask for. Several may ask for one; who proves it first gets
-- it and has it in domains.
CREATE TABLE domain_claims (
    site_id    bigint      NOT NULL,
    domain     text        NOT NULL,
    token      text        NOT NULL, -- to be shown in public
    created_at timestamptz NOT NULL,
    checked_at timestamptz,
    CONSTRAINT domain_claims_pkey PRIMARY KEY (site_id, domain),
    CONSTRAINT domain_claims_site_fkey FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE CASCADE
);

ALTER TABLE domain_claims ENABLE ROW LEVEL SECURITY;
ALTER TABLE domain_claims FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON domain_claims
    USING (site_id = (SELECT nullif(current_setting('kalends.site', true), '')::bigint));

-- Who is signed in to the provider's console. The id is the SHA-256 of what the
-- browser's cookie holds; without a token it is that of the configuration, which
-- the seal tells from the next one.
CREATE TABLE provider_sessions (
    id           bytea       NOT NULL,
    token_id     bigint,
    name         text        NOT NULL,
    seal         text        NOT NULL,
    csrf         text        NOT NULL,
    created_at   timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL,
    expires_at   timestamptz NOT NULL,
    CONSTRAINT provider_sessions_pkey PRIMARY KEY (id),
    CONSTRAINT provider_sessions_token_fkey FOREIGN KEY (token_id) REFERENCES provider_tokens (id) ON DELETE CASCADE
);
CREATE INDEX provider_sessions_token_idx ON provider_sessions (token_id);

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_service') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON plans, domain_claims, provider_sessions TO kalends_service;
    END IF;
END
$$;
-- +goose StatementEnd
