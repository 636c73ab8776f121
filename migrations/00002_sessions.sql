-- +goose Up

-- Who is signed in to the administration of a site, in which browser. The id is
-- the SHA-256 of what the browser's cookie holds.
CREATE TABLE sessions (
    site_id      bigint      NOT NULL,
    id           bytea       NOT NULL,
    user_id      bigint      NOT NULL,
    seal         text        NOT NULL, -- of the user's password at the time: a new password ends the session
    csrf         text        NOT NULL,
    created_at   timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL,
    expires_at   timestamptz NOT NULL,
    user_agent   text        NOT NULL DEFAULT '',
    address      text        NOT NULL DEFAULT '',
    CONSTRAINT sessions_pkey PRIMARY KEY (site_id, id),
    CONSTRAINT sessions_user_fkey FOREIGN KEY (site_id, user_id) REFERENCES users (site_id, id) ON DELETE CASCADE
);
CREATE INDEX sessions_user_idx ON sessions (site_id, user_id);

ALTER TABLE sessions ENABLE ROW LEVEL SECURITY;
ALTER TABLE sessions FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON sessions
    USING (site_id = (SELECT nullif(current_setting('kalends.site', true), '')::bigint));

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_service') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON sessions TO kalends_service;
    END IF;
END
$$;
-- +goose StatementEnd
