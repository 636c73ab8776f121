-- +goose Up

-- User and password of the site that an import is still to be fetched from, sealed; null where there are none, and as soon as
-- the import has its file or has ended.
ALTER TABLE imports ADD COLUMN secret bytea;

-- What venues, organizers, categories and tags of another site became here.
CREATE TABLE import_brought (
    site_id bigint NOT NULL,
    source  bytea  NOT NULL, -- digest, as of identities
    kind    text   NOT NULL,
    was     bigint NOT NULL, -- the id there
    id      bigint NOT NULL, -- the id here
    said    jsonb  NOT NULL, -- the arguments that it had there
    version bigint NOT NULL, -- of this site, when an import wrote it last
    CONSTRAINT import_brought_pkey PRIMARY KEY (site_id, source, kind, was),
    CONSTRAINT import_brought_site_fkey FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE CASCADE,
    CONSTRAINT import_brought_kind_check CHECK (kind IN ('venue', 'organizer', 'category', 'tag'))
);
ALTER TABLE import_brought ENABLE ROW LEVEL SECURITY;
ALTER TABLE import_brought FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON import_brought USING (site_id = (SELECT NULLIF(current_setting('kalends.site', true), '')::bigint));

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_service') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON import_brought TO kalends_service;
    END IF;
END
$$;
-- +goose StatementEnd
