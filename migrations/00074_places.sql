-- +goose Up

-- What a cluster does in another way than one server has a function, so that statements are the same for both; citus.sql
-- replaces these. A site is found by its slug, and a slug is given to a site: here the key of sites does both.
CREATE FUNCTION site_of(wanted text) RETURNS bigint
    LANGUAGE sql
    STABLE
    PARALLEL SAFE
AS $$
    SELECT s.id FROM sites s WHERE s.slug = wanted
$$;

CREATE FUNCTION name_site(site bigint, wanted text) RETURNS void
    LANGUAGE sql
    IMMUTABLE
AS $$
$$;

-- The service asks for the number of a site before it makes the site: the number says on which server it will be.
-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_service') THEN
        GRANT USAGE ON SEQUENCE sites_id_seq TO kalends_service;
        GRANT EXECUTE ON FUNCTION site_of, name_site TO kalends_service;
    END IF;
END
$$;
-- +goose StatementEnd

-- As in 00009, in a language whose statements have the values of its variables: where rows are spread by site, they go to
-- the server that has the site.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION purge_changes(cutoff timestamptz, most integer) RETURNS bigint
    LANGUAGE plpgsql
    VOLATILE
    SECURITY DEFINER
    SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
    site   bigint      := nullif(current_setting('kalends.site', true), '')::bigint;
    latest timestamptz := least(cutoff, now() - interval '30 days');
    gone   bigint;
BEGIN
    WITH oldest AS MATERIALIZED (
        SELECT c.site_id, c.version, c.kind, c.id, c.n, c.at
        FROM changes c
        WHERE c.site_id = site
          AND c.kind <> 'session'
        ORDER BY c.version, c.kind, c.id, c.n
        LIMIT most
    ), old AS MATERIALIZED (
        SELECT o.site_id, o.version, o.kind, o.id, o.n
        FROM oldest o
        WHERE o.version < COALESCE((SELECT min(k.version) FROM oldest k WHERE k.at >= latest), 9223372036854775807)
        UNION ALL
        (
            SELECT c.site_id, c.version, c.kind, c.id, c.n
            FROM changes c
            WHERE c.site_id = site
              AND c.kind = 'session'
              AND c.action <> 'create'
              AND c.at < latest
            LIMIT most
        )
    )
    DELETE FROM changes c
    USING old o
    WHERE c.site_id = site
      AND o.site_id = site
      AND c.version = o.version
      AND c.kind = o.kind
      AND c.id = o.id
      AND c.n = o.n;
    GET DIAGNOSTICS gone = ROW_COUNT;
    RETURN gone;
END
$$;
-- +goose StatementEnd
