-- +goose Up

-- Events with a password no longer count in their terms: a number told of what they hide. Each site is locked as by a write, and its
-- version rises where a count changes.
-- +goose StatementBegin
DO $$
DECLARE
    one bigint;
BEGIN
    FOR one IN SELECT id FROM sites ORDER BY id LOOP
        PERFORM set_config('kalends.site', one::text, true);
        CONTINUE WHEN NOT EXISTS (SELECT FROM events WHERE site_id = one AND password IS NOT NULL);
        PERFORM FROM sites WHERE id = one FOR NO KEY UPDATE;
        UPDATE terms t
        SET count = t.count - counted.n
        FROM (
            SELECT x.term_id, count(DISTINCT COALESCE(e.series_id, e.id)) AS n
            FROM events e
            JOIN event_terms x ON x.site_id = one AND x.event_id = e.id
            WHERE e.site_id = one
              AND e.password IS NOT NULL
              AND e.status = 'publish'
            GROUP BY x.term_id
        ) counted
        WHERE t.site_id = one
          AND t.id = counted.term_id;
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
