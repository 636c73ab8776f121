-- +goose Up

-- Texts of events as searches see them. Row-level security lets only leakproof conditions near an index, and LIKE is none,
-- but a policy's own conditions are. So the words are part of a policy: who reads this table sees the texts of the site
-- that kalends.site names in which all three patterns of kalends.words are found, by index, and nothing where either isn't
-- set. The table is empty and its rows are those of events, which inherits it: policies are those of the table that a
-- statement names.
CREATE TABLE event_texts (
    site_id bigint NOT NULL,
    id      bigint NOT NULL,
    search  text   NOT NULL,
    CONSTRAINT event_texts_pkey PRIMARY KEY (site_id, id),
    CONSTRAINT event_texts_site_fkey FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE CASCADE
);
ALTER TABLE event_texts ENABLE ROW LEVEL SECURITY;
ALTER TABLE event_texts FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON event_texts
    USING (site_id = (SELECT nullif(current_setting('kalends.site', true), '')::bigint));
CREATE POLICY words ON event_texts AS RESTRICTIVE
    USING (search LIKE (SELECT (nullif(current_setting('kalends.words', true), '')::text[])[1])
       AND search LIKE (SELECT (nullif(current_setting('kalends.words', true), '')::text[])[2])
       AND search LIKE (SELECT (nullif(current_setting('kalends.words', true), '')::text[])[3]));
ALTER TABLE events INHERIT event_texts;

-- What a role was for that a policy showed the texts of all sites. Its function is there for nodes of the release before,
-- finds what it found, and works as whoever calls it.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION event_search(first text, second text, third text) RETURNS SETOF bigint
    LANGUAGE plpgsql
    STABLE
    SECURITY INVOKER
    ROWS 10
    SET search_path = public, pg_temp
AS $$
BEGIN
    PERFORM set_config('kalends.words', ARRAY[first, second, third]::text, true);
    RETURN QUERY SELECT e.id FROM event_texts e WHERE e.site_id = nullif(current_setting('kalends.site', true), '')::bigint;
END
$$;
-- +goose StatementEnd

-- +goose StatementBegin
DO $$
BEGIN
    EXECUTE format('ALTER FUNCTION event_search OWNER TO %I', current_user);
    DROP POLICY IF EXISTS search ON events;
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_search') THEN
        REVOKE SELECT (site_id, id, search) ON events FROM kalends_search;
        REVOKE USAGE ON SCHEMA public FROM kalends_search;
    END IF;
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_service') THEN
        GRANT SELECT ON event_texts TO kalends_service;
        GRANT EXECUTE ON FUNCTION event_search TO kalends_service;
    END IF;
END
$$;
-- +goose StatementEnd
