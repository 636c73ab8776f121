-- +goose Up

-- Addresses at which an event that isn't published is seen without signing in: one for
-- each event, until it expires or is revoked.
CREATE TABLE previews (
    site_id    bigint      NOT NULL,
    event_id   bigint      NOT NULL,
    token      text        NOT NULL,
    made_by    bigint      NOT NULL, -- id of the user, who may be gone
    made_at    timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    CONSTRAINT previews_pkey PRIMARY KEY (site_id, event_id),
    CONSTRAINT previews_event_fkey FOREIGN KEY (site_id, event_id) REFERENCES events (site_id, id) ON DELETE CASCADE,
    CONSTRAINT previews_token_key UNIQUE (site_id, token)
);

ALTER TABLE previews ENABLE ROW LEVEL SECURITY;
ALTER TABLE previews FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON previews
    USING (site_id = (SELECT nullif(current_setting('kalends.site', true), '')::bigint));

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_service') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON previews TO kalends_service;
    END IF;
END
$$;
-- +goose StatementEnd
