-- +goose Up

-- What people choose for the pages of the administration; '' is what the browser
-- says.
ALTER TABLE users
    ADD COLUMN language text NOT NULL DEFAULT '',
    ADD COLUMN theme    text NOT NULL DEFAULT '',
    ADD CONSTRAINT users_theme_check CHECK (theme IN ('', 'light', 'dark'));

-- With what somebody without a password sets one, once: the link of an
-- invitation, or of a forgotten password. The id is the SHA-256 of what the link
-- holds; seal is of the account at the time, so that a change of it ends the link.
CREATE TABLE vouchers (
    site_id    bigint      NOT NULL,
    id         bytea       NOT NULL,
    user_id    bigint      NOT NULL,
    kind       text        NOT NULL,
    seal       text        NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    CONSTRAINT vouchers_pkey PRIMARY KEY (site_id, id),
    CONSTRAINT vouchers_user_key UNIQUE (site_id, user_id, kind),
    CONSTRAINT vouchers_user_fkey FOREIGN KEY (site_id, user_id) REFERENCES users (site_id, id) ON DELETE CASCADE,
    CONSTRAINT vouchers_kind_check CHECK (kind IN ('invitation', 'reset'))
);

-- The public keys with which people sign in by a device of theirs. What data
-- holds is the business of who reads it; the counter stands beside it because two
-- nodes must not accept the same one.
CREATE TABLE passkeys (
    site_id      bigint      NOT NULL,
    id           bytea       NOT NULL,
    user_id      bigint      NOT NULL,
    name         text        NOT NULL,
    sign_count   bigint      NOT NULL,
    data         bytea       NOT NULL,
    created_at   timestamptz NOT NULL,
    last_used_at timestamptz,
    CONSTRAINT passkeys_pkey PRIMARY KEY (site_id, id),
    CONSTRAINT passkeys_user_fkey FOREIGN KEY (site_id, user_id) REFERENCES users (site_id, id) ON DELETE CASCADE
);
CREATE INDEX passkeys_user_idx ON passkeys (site_id, user_id);

-- What a device was asked to sign and hasn't answered yet. The id is the SHA-256
-- of what the browser's cookie holds.
CREATE TABLE challenges (
    site_id    bigint      NOT NULL,
    id         bytea       NOT NULL,
    data       bytea       NOT NULL,
    expires_at timestamptz NOT NULL,
    CONSTRAINT challenges_pkey PRIMARY KEY (site_id, id),
    CONSTRAINT challenges_site_fkey FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE CASCADE
);

-- How often somebody has tried something: the time at which all attempts are
-- theirs again. The id is a hash of who it is and what they try.
CREATE TABLE attempts (
    site_id bigint      NOT NULL,
    id      bytea       NOT NULL,
    full_at timestamptz NOT NULL,
    CONSTRAINT attempts_pkey PRIMARY KEY (site_id, id),
    CONSTRAINT attempts_site_fkey FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE CASCADE
);
CREATE INDEX attempts_full_idx ON attempts (site_id, full_at);

-- Forms that make something, each once: what it made, 0 while that is under way.
CREATE TABLE forms (
    site_id bigint      NOT NULL,
    id      bytea       NOT NULL,
    made    bigint      NOT NULL DEFAULT 0,
    at      timestamptz NOT NULL,
    CONSTRAINT forms_pkey PRIMARY KEY (site_id, id),
    CONSTRAINT forms_site_fkey FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE CASCADE
);
CREATE INDEX forms_at_idx ON forms (site_id, at);

-- +goose StatementBegin
DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['vouchers', 'passkeys', 'challenges', 'attempts', 'forms']
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY site ON %I
            USING (site_id = (SELECT nullif(current_setting(''kalends.site'', true), '''')::bigint))', name);
    END LOOP;
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_service') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON vouchers, passkeys, challenges, attempts, forms TO kalends_service;
    END IF;
END
$$;
-- +goose StatementEnd
