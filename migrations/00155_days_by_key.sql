-- +goose Up

-- The days of occurrences that went were found by joining them with the days of the site. With statistics from before a
-- large series, each of its days was compared with each of the others: deleting 10,000 dates took minutes. Now each day is
-- found by its key, whatever the statistics say. A day on which nothing is left keeps its row, with 0, until histories
-- are purged.
-- +goose StatementBegin
DO $$
DECLARE
    distributed boolean := false;
    f record;
BEGIN
    IF to_regclass('pg_dist_partition') IS NOT NULL THEN
        EXECUTE $dist$SELECT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = 'occurrences'::regclass)$dist$ INTO distributed;
    END IF;
    FOR f IN
        SELECT *
        FROM (VALUES
            ('count_removed_occurrences', $statement$
    INSERT INTO occurrence_days AS d (site_id, start_day, end_day, occurrences)
    SELECT site_id, start_local::date, end_local::date, -count(*)
    FROM removed
    WHERE listed
    GROUP BY site_id, start_local::date, end_local::date
    ON CONFLICT ON CONSTRAINT occurrence_days_pkey DO UPDATE
    SET occurrences = d.occurrences + excluded.occurrences;
    $statement$),
            ('count_changed_occurrences', $statement$
    INSERT INTO occurrence_days AS d (site_id, start_day, end_day, occurrences)
    SELECT site_id, start_day, end_day, sum(n)
    FROM (
        SELECT site_id, start_local::date AS start_day, end_local::date AS end_day, 1 AS n
        FROM added
        WHERE listed
        UNION ALL
        SELECT site_id, start_local::date, end_local::date, -1
        FROM removed
        WHERE listed
    ) days
    GROUP BY site_id, start_day, end_day
    HAVING sum(n) <> 0
    ON CONFLICT ON CONSTRAINT occurrence_days_pkey DO UPDATE
    SET occurrences = d.occurrences + excluded.occurrences;
    $statement$)) functions (name, statement)
    LOOP
        IF distributed THEN -- as citus.sql makes them
            EXECUTE format($function$
                CREATE OR REPLACE FUNCTION %s() RETURNS trigger
                    LANGUAGE plpgsql
                AS $body$
                BEGIN
                    EXECUTE replace(%L, 'occurrence_days', shard_beside(TG_TABLE_NAME, 'occurrence_days'));
                    RETURN NULL;
                END
                $body$ $function$, f.name, replace(f.statement, 'ON CONSTRAINT occurrence_days_pkey', '(site_id, start_day, end_day)'));
        ELSE
            EXECUTE format($function$
CREATE OR REPLACE FUNCTION %s() RETURNS trigger
    LANGUAGE plpgsql
AS $body$
BEGIN%sRETURN NULL;
END
$body$ $function$, f.name, f.statement);
        END IF;
    END LOOP;
END
$$;
-- +goose StatementEnd

-- A site with a few large series had Postgres expect thousands of dates for each event, and so read whole tables for each of
-- ten thousand dates that a key takes with their series. Most events have few dates and few events under them.
-- +goose StatementBegin
DO $$
DECLARE
    distributed boolean := false;
BEGIN
    IF to_regclass('pg_dist_partition') IS NOT NULL THEN
        EXECUTE $dist$SELECT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = 'occurrences'::regclass)$dist$ INTO distributed;
    END IF;
    IF distributed THEN
        RETURN; -- a cluster plans for the values of each statement
    END IF;
    ALTER TABLE occurrences ALTER COLUMN event_id SET (n_distinct = -0.05);
    ALTER TABLE events ALTER COLUMN series_id SET (n_distinct = -0.1), ALTER COLUMN parent_id SET (n_distinct = -0.1);
    ANALYZE occurrences (event_id);
    ANALYZE events (series_id, parent_id);
END
$$;
-- +goose StatementEnd
