-- +goose Up

-- People are told by e-mail what waits for them (ADR 190): how, and up to which moment they have been told.
ALTER TABLE users ADD COLUMN told text NOT NULL DEFAULT 'daily';
ALTER TABLE users ADD COLUMN told_at timestamptz NOT NULL DEFAULT now();
ALTER TABLE users ADD CONSTRAINT users_told_check CHECK (told IN ('at_once', 'daily', 'never'));

-- Up to which version a site was looked at for what waits, when to look at it whatever its version, and which node does it. It is read
-- before a site is known, so no policy guards it, and it says nothing else.
CREATE TABLE attention_rounds (
    site_id     bigint      NOT NULL,
    looked      bigint      NOT NULL DEFAULT 0,
    due_at      timestamptz NOT NULL DEFAULT 'infinity',
    lease       text        NOT NULL DEFAULT '',
    lease_until timestamptz,
    CONSTRAINT attention_rounds_pkey PRIMARY KEY (site_id),
    CONSTRAINT attention_rounds_site_fkey FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE CASCADE
);

INSERT INTO attention_rounds (site_id, looked)
SELECT id, version FROM sites;

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_service') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON attention_rounds TO kalends_service;
    END IF;
END
$$;
-- +goose StatementEnd
