-- +goose Up

-- The one way out of the history: what is older than a cutoff, and never what is
-- younger than 30 days, of the site that kalends.site names. The service's role
-- can delete nothing by itself. Entries of objects go from the oldest on, so that
-- what is left has no gaps; sign-ins have no version of their own and go by time.
-- What is deleted comes back as a number: 0 when there is no more.

CREATE FUNCTION purge_changes(cutoff timestamptz, most integer) RETURNS bigint
    LANGUAGE sql
    VOLATILE
    SECURITY DEFINER
    SET search_path = pg_catalog, public, pg_temp
AS $$
    WITH scope AS MATERIALIZED (
        SELECT nullif(current_setting('kalends.site', true), '')::bigint AS site_id,
               least(cutoff, now() - interval '30 days') AS cutoff
    ), oldest AS MATERIALIZED (
        SELECT c.version, c.kind, c.id, c.n, c.at
        FROM changes c
        WHERE c.site_id = (SELECT s.site_id FROM scope s)
          AND c.kind <> 'session'
        ORDER BY c.version, c.kind, c.id, c.n
        LIMIT most
    ), gone AS (
        SELECT o.version, o.kind, o.id, o.n
        FROM oldest o
        WHERE o.version < COALESCE((SELECT min(k.version) FROM oldest k WHERE k.at >= (SELECT s.cutoff FROM scope s)), 9223372036854775807)
        UNION ALL
        (
            SELECT c.version, c.kind, c.id, c.n
            FROM changes c
            WHERE c.site_id = (SELECT s.site_id FROM scope s)
              AND c.kind = 'session'
              AND c.action <> 'create'
              AND c.at < (SELECT s.cutoff FROM scope s)
            LIMIT most
        )
    ), deleted AS (
        DELETE FROM changes c
        USING gone g
        WHERE c.site_id = (SELECT s.site_id FROM scope s)
          AND c.version = g.version
          AND c.kind = g.kind
          AND c.id = g.id
          AND c.n = g.n
        RETURNING 1
    )
    SELECT count(*) FROM deleted
$$;

-- +goose StatementBegin
DO $$
BEGIN
    REVOKE ALL ON FUNCTION purge_changes FROM PUBLIC;
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_service') THEN
        GRANT EXECUTE ON FUNCTION purge_changes TO kalends_service;
    END IF;
END
$$;
-- +goose StatementEnd
