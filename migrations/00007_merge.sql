-- +goose Up

-- The colour a category is shown in, as #rrggbb in small letters; tags have none.
ALTER TABLE terms
    ADD COLUMN color text,
    ADD CONSTRAINT terms_color_check CHECK (color IS NULL OR taxonomy = 'category' AND color ~ '^#[0-9a-f]{6}$');

-- Where the public address of a slug leads that nothing has any more: what was
-- renamed or merged into another. Something that takes the slug goes before.
CREATE TABLE redirects (
    site_id bigint NOT NULL,
    kind    text   NOT NULL,
    slug    text   NOT NULL,
    id      bigint NOT NULL,
    CONSTRAINT redirects_pkey PRIMARY KEY (site_id, kind, slug),
    CONSTRAINT redirects_site_fkey FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE CASCADE,
    CONSTRAINT redirects_kind_check CHECK (kind IN ('event', 'venue', 'organizer', 'category', 'tag'))
);
CREATE INDEX redirects_id_idx ON redirects (site_id, kind, id);

ALTER TABLE redirects ENABLE ROW LEVEL SECURITY;
ALTER TABLE redirects FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON redirects
    USING (site_id = (SELECT nullif(current_setting('kalends.site', true), '')::bigint));

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_service') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON redirects TO kalends_service;
    END IF;
END
$$;
-- +goose StatementEnd
