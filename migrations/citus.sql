-- The schema spread over a Citus cluster: `kalends migrate --citus` runs this after the migrations, in one transaction.
-- Run again, after later migrations, it spreads what is new and leaves the rest alone. docs/scale.md says what has been
-- tried of it and what has not.
--
-- sites is distributed by id, every table with site_id by it, all in one group: what belongs to a site lies on one
-- worker, and a statement that names the site goes there whole. Tables that statements of sites join, or that find the
-- site (plans, domains), are on every node. What belongs to the provider alone stays on the coordinator.

-- One shard after the other: a statement for all of them at once may not follow others of its transaction.
SET LOCAL citus.multi_shard_modify_mode = 'sequential';

-- A worker runs statements of the service's role, and asks others as that role, too.
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_service' AND NOT rolcanlogin) THEN
        ALTER ROLE kalends_service LOGIN;
    END IF;
END
$$;

-- A distributed table inherits nothing, so the texts that searches see are a view of events, without the index. All texts are indexed.
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_class WHERE oid = to_regclass('event_texts') AND relkind = 'r') THEN
        ALTER TABLE events NO FORCE ROW LEVEL SECURITY;
        UPDATE events SET texts_indexed = true WHERE NOT texts_indexed;
        ALTER TABLE events FORCE ROW LEVEL SECURITY;
        UPDATE sites SET texts_indexed = true WHERE NOT texts_indexed;
        ALTER TABLE sites ALTER COLUMN texts_indexed SET DEFAULT true;
        ALTER TABLE events NO INHERIT event_texts;
        DROP TABLE event_texts;
        CREATE VIEW event_texts WITH (security_invoker = true) AS
        SELECT site_id, id, search
        FROM events
        WHERE search LIKE (NULLIF(current_setting('kalends.words', true), '')::text[])[1]
          AND search LIKE (NULLIF(current_setting('kalends.words', true), '')::text[])[2]
          AND search LIKE (NULLIF(current_setting('kalends.words', true), '')::text[])[3];
    END IF;
END
$$;

-- Triggers that count occurrences and note addresses go while these are copied, for what they wrote is copied, too, and that of sites,
-- for Citus spreads no table with one. They come back at the end.
CREATE TEMPORARY TABLE counting ON COMMIT DROP AS
SELECT g.tgname AS name,
       g.tgrelid::regclass AS of,
       pg_get_triggerdef(g.oid) AS definition
FROM pg_trigger g
WHERE g.tgrelid IN ('occurrences'::regclass, 'users'::regclass, 'sites'::regclass)
  AND NOT g.tgisinternal
  AND NOT EXISTS (SELECT FROM pg_dist_partition p WHERE p.logicalrelid = g.tgrelid);
DO $$
DECLARE
    t record;
BEGIN
    FOR t IN SELECT name, of FROM counting LOOP
        EXECUTE format('DROP TRIGGER %I ON %s', t.name, t.of);
    END LOOP;
END
$$;

-- Foreign keys and policies as Citus can have them are decided once, here.
CREATE TEMPORARY TABLE spread ON COMMIT DROP AS
SELECT c.oid::regclass AS name,
       CASE WHEN c.relname IN ('plans', 'domains') THEN NULL
            WHEN c.relname = 'sites' THEN 'id'
            ELSE 'site_id'
       END AS spread_by,
       c.relforcerowsecurity AS forced
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

    -- The rows that are there are copied in the name of the tables' owner. Policies that hold the owner, too, would keep them.
    FOR t IN SELECT name FROM spread WHERE forced LOOP
        EXECUTE format('ALTER TABLE %s NO FORCE ROW LEVEL SECURITY', t.name);
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
    FOR t IN SELECT name FROM spread WHERE forced LOOP
        EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', t.name);
    END LOOP;
END
$$;

-- A trigger runs beside the shard of its table and writes that of another one, occurrence_days or user_addresses, which has the same
-- sites. Its statement is the one that it has on a single server. Triggers of earlier releases call days_beside.
CREATE OR REPLACE FUNCTION shard_beside(shard name, wanted text) RETURNS text
    LANGUAGE plpgsql
    STABLE
AS $$
BEGIN
    RETURN (
        SELECT 'public.' || wanted || '_' || d.shardid
        FROM pg_catalog.pg_dist_shard o
        JOIN pg_catalog.pg_dist_shard d ON d.shardminvalue = o.shardminvalue
        WHERE o.shardid = substring(shard FROM '[0-9]+$')::bigint
          AND d.logicalrelid = ('public.' || wanted)::regclass);
END
$$;
CREATE OR REPLACE FUNCTION days_beside(occurrences name) RETURNS text
    LANGUAGE plpgsql
    STABLE
AS $$
BEGIN
    RETURN public.shard_beside(occurrences, 'occurrence_days');
END
$$;
DO $$
DECLARE
    f record;
    t record;
BEGIN
    FOR f IN
        SELECT p.oid::regproc AS name,
               CASE WHEN p.proname = 'note_user_addresses' THEN 'user_addresses' ELSE 'occurrence_days' END AS wanted,
               regexp_replace(p.prosrc, '^\s*BEGIN(.*)RETURN NULL;\s*END\s*$', '\1') AS statement
        FROM pg_proc p
        WHERE p.proname IN ('count_added_occurrences', 'count_changed_occurrences', 'count_removed_occurrences', 'note_user_addresses')
          AND p.prosrc NOT LIKE '%\_beside(%'
    LOOP
        EXECUTE format($counts$
            CREATE OR REPLACE FUNCTION %s() RETURNS trigger
                LANGUAGE plpgsql
            AS $body$
            BEGIN
                EXECUTE replace(%L, %L, shard_beside(TG_TABLE_NAME, %L));
                RETURN NULL;
            END
            $body$ $counts$, f.name, replace(f.statement, 'ON CONSTRAINT occurrence_days_pkey', '(site_id, start_day, end_day)'), f.wanted, f.wanted);
    END LOOP;
    SET LOCAL citus.enable_unsafe_triggers = on; -- unsafe are those that write elsewhere
    FOR t IN SELECT definition FROM counting LOOP
        EXECUTE t.definition;
    END LOOP;

    -- Users who were spread before there were addresses.
    IF NOT EXISTS (SELECT FROM pg_trigger g WHERE g.tgrelid = 'users'::regclass AND g.tgname = 'users_added') THEN
        CREATE TRIGGER users_added AFTER INSERT ON users
            REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_user_addresses();
        CREATE TRIGGER users_changed AFTER UPDATE ON users
            REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_user_addresses();
        ALTER TABLE users NO FORCE ROW LEVEL SECURITY;
        INSERT INTO user_addresses (site_id, user_id, hash)
        SELECT site_id, id, sha256(convert_to(email_key, 'UTF8'))
        FROM users;
        ALTER TABLE users FORCE ROW LEVEL SECURITY;
    END IF;
END
$$;

-- The texts of a shard that have the words which kalends.words names. LIKE isn't leakproof, so row-level security keeps it from the
-- index, unless it is in the policy: that of kalends_search, which nobody is and which owns this function, has the words in it. The role
-- sees nothing that the policy of everybody else wouldn't show. One word is named three times and compared once: the function plans
-- its statement for each search, and a function that is called immutable is a constant there. Policies of distributed tables may have
-- no subqueries, which do this on a single server.
CREATE OR REPLACE FUNCTION searched_word(n integer) RETURNS text
    LANGUAGE sql
    IMMUTABLE
AS $$
SELECT (NULLIF(current_setting('kalends.words', true), '')::text[])[n]
$$;
CREATE OR REPLACE FUNCTION texts_of_shard(shard bigint) RETURNS TABLE (site_id bigint, id bigint)
    LANGUAGE plpgsql
    STABLE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RETURN QUERY EXECUTE format('SELECT e.site_id, e.id FROM public.%I e WHERE e.texts_indexed', 'events_' || shard);
END
$$;
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_service') THEN
        RETURN;
    END IF;
    REVOKE ALL ON FUNCTION texts_of_shard FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION texts_of_shard TO kalends_service;
    EXECUTE format('ALTER POLICY site ON events TO kalends_service, %s', (SELECT c.relowner::regrole FROM pg_class c WHERE c.oid = 'events'::regclass));
    DROP POLICY IF EXISTS words ON events;
    CREATE POLICY words ON events FOR SELECT TO kalends_search
        USING (site_id = NULLIF(current_setting('kalends.site', true), '')::bigint
            AND search LIKE searched_word(1)
            AND (searched_word(1) = searched_word(2) AND searched_word(2) = searched_word(3)
              OR search LIKE searched_word(2) AND search LIKE searched_word(3)));
    GRANT USAGE, CREATE ON SCHEMA public TO kalends_search;
    GRANT SELECT ON events TO kalends_search;
    ALTER FUNCTION texts_of_shard SECURITY DEFINER;
    ALTER FUNCTION texts_of_shard OWNER TO kalends_search;
    REVOKE CREATE ON SCHEMA public FROM kalends_search;
END
$$;

-- What statements of a site write of the provider's stays where it is, and workers know of it.
DO $$
DECLARE
    t regclass;
BEGIN
    CREATE TABLE IF NOT EXISTS site_slugs (
        slug    text   NOT NULL,
        site_id bigint NOT NULL,
        CONSTRAINT sites_slug_key PRIMARY KEY (slug)
    );
    IF NOT EXISTS (SELECT FROM pg_index WHERE indrelid = 'site_slugs'::regclass AND NOT indisprimary) THEN
        CREATE INDEX site_slugs_site_idx ON site_slugs (site_id);
        INSERT INTO site_slugs (slug, site_id) SELECT slug, id FROM sites;
        IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_service') THEN
            GRANT SELECT, INSERT, DELETE ON site_slugs TO kalends_service;
        END IF;
    END IF;
    FOREACH t IN ARRAY ARRAY['site_slugs', 'provider_changes', 'provider_answers', 'jobs']::regclass[] LOOP
        IF NOT EXISTS (SELECT FROM pg_dist_partition p WHERE p.logicalrelid = t) THEN
            PERFORM citus_add_local_table_to_metadata(t);
        END IF;
    END LOOP;
END
$$;

-- A worker would count on its own: what it gives goes by no order.
CREATE OR REPLACE FUNCTION number_provider_change() RETURNS trigger
    LANGUAGE plpgsql
    SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    NEW.id := nextval('public.provider_changes_id_seq');
    RETURN NEW;
END
$$;
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_trigger WHERE tgname = 'provider_changes_numbered') THEN
        CREATE TRIGGER provider_changes_numbered BEFORE INSERT ON provider_changes
            FOR EACH ROW EXECUTE FUNCTION number_provider_change();
    END IF;
END
$$;

CREATE OR REPLACE FUNCTION site_of(wanted text) RETURNS bigint
    LANGUAGE plpgsql
    STABLE
AS $$
BEGIN
    RETURN (SELECT s.site_id FROM public.site_slugs s WHERE s.slug = wanted);
END
$$;

CREATE OR REPLACE FUNCTION name_site(site bigint, wanted text) RETURNS void
    LANGUAGE plpgsql
    VOLATILE
AS $$
BEGIN
    PERFORM FROM public.site_slugs s WHERE s.slug = wanted AND s.site_id = site;
    IF FOUND THEN
        RETURN;
    END IF;
    DELETE FROM public.site_slugs s WHERE s.site_id = site;
    IF wanted IS NOT NULL THEN
        INSERT INTO public.site_slugs (slug, site_id) VALUES (wanted, site);
    END IF;
EXCEPTION
    WHEN unique_violation THEN
        RAISE EXCEPTION 'the slug % is taken', wanted USING ERRCODE = 'unique_violation', CONSTRAINT = 'sites_slug_key';
END
$$;

-- It names tables of sites, not those of a shard, and Citus finds the shard by the values.
ALTER FUNCTION purge_changes SET plan_cache_mode = 'force_custom_plan';
ALTER FUNCTION erase_given SET plan_cache_mode = 'force_custom_plan';
ALTER FUNCTION erase_person SET plan_cache_mode = 'force_custom_plan';

-- Holds the place of a site until the end of the transaction, or says that it is another. A move waits for those who hold it.
-- Who names the shard of sites that it takes the site to be in hears when it is in another since a shard was divided.
DROP FUNCTION IF EXISTS enter_site(bigint);
CREATE OR REPLACE FUNCTION enter_site(site bigint, expected bigint) RETURNS void
    LANGUAGE plpgsql
    VOLATILE
    SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    shard bigint := get_shard_id_for_distribution_column('public.sites'::regclass, site);
BEGIN
    PERFORM lock_shard_metadata(5, ARRAY[shard]);
    PERFORM FROM pg_dist_placement p JOIN pg_dist_local_group g USING (groupid) WHERE p.shardid = shard;
    IF NOT FOUND OR shard <> expected THEN
        RAISE EXCEPTION 'site % is on another server', site USING ERRCODE = 'KD001';
    END IF;
END
$$;

DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_service') THEN
        REVOKE ALL ON FUNCTION enter_site FROM PUBLIC;
        GRANT EXECUTE ON FUNCTION enter_site, site_of, name_site TO kalends_service;
        GRANT SELECT ON event_texts TO kalends_service; -- now that workers have it
    END IF;
END
$$;
