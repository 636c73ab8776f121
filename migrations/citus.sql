-- The schema spread over a Citus cluster: `kalends migrate --citus` runs this after the migrations, in one transaction.
-- Run again, after later migrations, it spreads what is new and leaves the rest alone. docs/scale.md says what has been
-- tried of it and what has not.
--
-- sites is distributed by id, every table with site_id by it, all in one group: what belongs to a site lies on one
-- worker, and a statement that names the site goes there whole. Tables that statements of sites join, or that find the
-- site (plans, domains), are on every node. What belongs to the provider alone stays on the coordinator.

-- A distributed table inherits nothing, so the texts that searches see are a view of events, without the index.
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_class WHERE oid = to_regclass('event_texts') AND relkind = 'r') THEN
        ALTER TABLE events NO INHERIT event_texts;
        DROP TABLE event_texts;
        CREATE VIEW event_texts AS
        SELECT site_id, id, search
        FROM events
        WHERE search LIKE (NULLIF(current_setting('kalends.words', true), '')::text[])[1]
          AND search LIKE (NULLIF(current_setting('kalends.words', true), '')::text[])[2]
          AND search LIKE (NULLIF(current_setting('kalends.words', true), '')::text[])[3];
        IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_service') THEN
            GRANT SELECT ON event_texts TO kalends_service;
        END IF;
    END IF;
END
$$;

-- Triggers of distributed tables can't write other tables, so the days of occurrences are counted when they are asked for.
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_class WHERE oid = to_regclass('occurrence_days') AND relkind = 'r') THEN
        DROP TRIGGER occurrences_added ON occurrences;
        DROP TRIGGER occurrences_removed ON occurrences;
        DROP TRIGGER occurrences_changed ON occurrences;
        DROP FUNCTION count_added_occurrences, count_removed_occurrences, count_changed_occurrences;
        DROP TABLE occurrence_days;
        CREATE VIEW occurrence_days AS
        SELECT site_id, start_local::date AS start_day, end_local::date AS end_day, count(*) AS occurrences
        FROM occurrences
        WHERE listed
        GROUP BY site_id, start_local::date, end_local::date;
        IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_service') THEN
            GRANT SELECT ON occurrence_days TO kalends_service;
        END IF;
    END IF;
END
$$;

-- Foreign keys and policies as Citus can have them are decided once, here.
CREATE TEMPORARY TABLE spread ON COMMIT DROP AS
SELECT c.oid::regclass AS name,
       CASE WHEN c.relname IN ('plans', 'domains') THEN NULL
            WHEN c.relname = 'sites' THEN 'id'
            ELSE 'site_id'
       END AS spread_by
FROM pg_class c
WHERE c.relnamespace = 'public'::regnamespace
  AND c.relkind IN ('r', 'p')
  AND (c.relname IN ('plans', 'domains', 'sites')
       OR EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'site_id' AND NOT a.attisdropped))
  AND NOT EXISTS (SELECT FROM pg_dist_partition p WHERE p.logicalrelid = c.oid::regclass);

-- Keys of the tables that are spread now. They go, because Citus refuses to spread a table that one still to be spread
-- refers to, and come back at the end, but for two kinds: a table on every node can't refer to one that is distributed
-- (domains), and SET NULL isn't to be had for keys that hold the distribution column, so these refuse instead.
CREATE TEMPORARY TABLE keys ON COMMIT DROP AS
SELECT k.conrelid::regclass AS name,
       k.conname,
       replace(regexp_replace(pg_get_constraintdef(k.oid), ' ON DELETE SET NULL \([a-z_]+\)', ''), ' NOT VALID', '') AS definition,
       k.conrelid <> 'domains'::regclass AS kept
FROM pg_constraint k
WHERE k.contype = 'f'
  AND k.conrelid IN (SELECT name FROM spread);

DO $$
DECLARE
    t record;
BEGIN
    FOR t IN SELECT name, conname FROM keys LOOP
        EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', t.name, t.conname);
    END LOOP;

    -- A unique key without the distribution column can't be held by the workers.
    IF EXISTS (SELECT FROM pg_constraint WHERE conname = 'sites_slug_key' AND conrelid = 'sites'::regclass) THEN
        ALTER TABLE sites DROP CONSTRAINT sites_slug_key;
        CREATE INDEX sites_slug_idx ON sites (slug);
    END IF;

    -- Policies of distributed tables may hold no subquery. This one is the same, evaluated where the rows are.
    FOR t IN
        SELECT p.polrelid::regclass AS name
        FROM pg_policy p
        WHERE p.polname = 'site'
          AND p.polrelid IN (SELECT name FROM spread)
    LOOP
        EXECUTE format($policy$ALTER POLICY site ON %s USING (site_id = NULLIF(current_setting('kalends.site', true), '')::bigint)$policy$,
            t.name);
    END LOOP;

    FOR t IN SELECT name FROM spread WHERE spread_by IS NULL ORDER BY name::text LOOP
        PERFORM create_reference_table(t.name);
    END LOOP;
    FOR t IN SELECT name, spread_by FROM spread WHERE spread_by IS NOT NULL ORDER BY spread_by <> 'id', name::text LOOP
        PERFORM create_distributed_table(t.name, t.spread_by, colocate_with => CASE WHEN t.spread_by = 'id' THEN 'none' ELSE 'sites' END);
    END LOOP;

    FOR t IN SELECT name, conname, definition FROM keys WHERE kept LOOP
        EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I %s', t.name, t.conname, t.definition);
    END LOOP;
END
$$;
