-- +goose Up

-- A series counts once in a term that only some of its dates have: what was counted
-- before left these out. Each site is locked as by a write, and its version rises where
-- a count changes.
-- +goose StatementBegin
DO $$
DECLARE
    one bigint;
BEGIN
    FOR one IN SELECT id FROM sites ORDER BY id LOOP
        PERFORM set_config('kalends.site', one::text, true);
        CONTINUE WHEN NOT EXISTS (SELECT FROM events WHERE site_id = one AND series_id IS NOT NULL);
        PERFORM FROM sites WHERE id = one FOR NO KEY UPDATE;
        UPDATE terms t
        SET count = counted.n
        FROM (
            SELECT x.term_id, count(DISTINCT COALESCE(e.series_id, e.id)) AS n
            FROM event_terms x
            JOIN events e ON e.site_id = one AND e.id = x.event_id AND e.status = 'publish'
            WHERE x.site_id = one
              AND x.term_id IN (
                SELECT l.term_id
                FROM events d
                JOIN event_terms l ON l.site_id = one AND l.event_id = d.id
                WHERE d.site_id = one
                  AND d.series_id IS NOT NULL)
            GROUP BY x.term_id
        ) counted
        WHERE t.site_id = one
          AND t.id = counted.term_id
          AND t.count <> counted.n;
        IF FOUND THEN
            UPDATE sites
            SET version = version + 1,
                links_version = version + 1
            WHERE id = one;
        END IF;
    END LOOP;
    PERFORM set_config('kalends.site', '', true);
END
$$;
-- +goose StatementEnd
