-- +goose Up

-- Texts in other languages than the site's own. They stand with what they are about, under the name of their language, so
-- that whatever reads, copies or moves an item has them with it. Null: there are none.
ALTER TABLE sites ADD COLUMN content_languages text[] NOT NULL DEFAULT '{}'; -- in which texts are written, in the order in which they stand in for one another; none: the site's own alone
ALTER TABLE events
    ADD COLUMN languages    text[], -- those there are texts in
    ADD COLUMN translations jsonb;
ALTER TABLE venues ADD COLUMN translations jsonb;
ALTER TABLE organizers ADD COLUMN translations jsonb;
ALTER TABLE terms ADD COLUMN translations jsonb;

-- Slugs of these texts: of one kind none is there twice in a language.
CREATE TABLE translated_slugs (
    site_id  bigint NOT NULL,
    kind     text   NOT NULL, -- event, venue, organizer, category, tag
    slug     text   NOT NULL,
    language text   NOT NULL,
    id       bigint NOT NULL,
    CONSTRAINT translated_slugs_pkey PRIMARY KEY (site_id, kind, slug, language),
    CONSTRAINT translated_slugs_site_fkey FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE CASCADE
);
CREATE INDEX translated_slugs_id_idx ON translated_slugs (site_id, kind, id);

ALTER TABLE translated_slugs ENABLE ROW LEVEL SECURITY;
ALTER TABLE translated_slugs FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON translated_slugs
    USING (site_id = (SELECT nullif(current_setting('kalends.site', true), '')::bigint));

-- What searches look through has a part for each language: the site's own first, and each other behind its name. Of a text
-- this returns the first part and those of some languages.
-- +goose StatementBegin
CREATE FUNCTION texts_in(search text, languages text[]) RETURNS text
    LANGUAGE sql
    IMMUTABLE
    PARALLEL SAFE
AS $$
    SELECT CASE
        WHEN position(E'\x02' IN search) = 0 THEN search
        ELSE split_part(search, E'\x02', 1) || COALESCE((
            SELECT string_agg(E'\n' || split_part(split_part(search, E'\x02' || l || E'\n', 2), E'\x02', 1), '')
            FROM unnest(languages) l), '')
        END
$$;
-- +goose StatementEnd

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_service') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON translated_slugs TO kalends_service;
        GRANT EXECUTE ON FUNCTION texts_in TO kalends_service;
    END IF;
END
$$;
-- +goose StatementEnd
