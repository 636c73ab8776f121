-- +goose Up

-- The OpenID Connect provider by which the people of a site may sign in.
CREATE TABLE sign_in_providers (
    site_id    bigint      NOT NULL,
    issuer     text        NOT NULL,
    client_id  text        NOT NULL,
    secret     bytea       NOT NULL, -- encrypted by the key of the installation
    claim      text        NOT NULL, -- that names groups
    groups     jsonb       NOT NULL, -- by role, those whose people have it
    others     text        NOT NULL, -- role of people in none of the groups; '': none
    passwords  boolean     NOT NULL, -- whether passwords sign in, too
    changed_at timestamptz NOT NULL,
    CONSTRAINT sign_in_providers_pkey PRIMARY KEY (site_id),
    CONSTRAINT sign_in_providers_site_fkey FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE CASCADE
);

-- Whom a provider calls by a subject.
CREATE TABLE sign_in_identities (
    site_id    bigint      NOT NULL,
    issuer     text        NOT NULL,
    subject    text        NOT NULL,
    user_id    bigint      NOT NULL,
    created_at timestamptz NOT NULL,
    CONSTRAINT sign_in_identities_pkey PRIMARY KEY (site_id, issuer, subject),
    CONSTRAINT sign_in_identities_user_key UNIQUE (site_id, user_id, issuer),
    CONSTRAINT sign_in_identities_user_fkey FOREIGN KEY (site_id, user_id) REFERENCES users (site_id, id) ON DELETE CASCADE
);

ALTER TABLE sign_in_providers ENABLE ROW LEVEL SECURITY;
ALTER TABLE sign_in_providers FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON sign_in_providers
    USING (site_id = (SELECT nullif(current_setting('kalends.site', true), '')::bigint));
ALTER TABLE sign_in_identities ENABLE ROW LEVEL SECURITY;
ALTER TABLE sign_in_identities FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON sign_in_identities
    USING (site_id = (SELECT nullif(current_setting('kalends.site', true), '')::bigint));

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_service') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON sign_in_providers, sign_in_identities TO kalends_service;
    END IF;
END
$$;
-- +goose StatementEnd
