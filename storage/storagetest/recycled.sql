-- What a template for databases that tests use one after another has beside the schema of the service. Run as a superuser.

CREATE SCHEMA kept;
GRANT USAGE ON SCHEMA kept TO PUBLIC;

-- The size of each table and index as the planner knows it, to find databases that a test has analyzed.
CREATE TABLE kept.sizes AS
SELECT oid, relpages, reltuples FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'i');

-- What tests have changed beside rows.
CREATE TABLE kept.marks (what text NOT NULL);

CREATE FUNCTION kept.mark() RETURNS event_trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
	INSERT INTO kept.marks VALUES (tg_tag);
END
$$;

-- kept.empty makes a database as it was, and says why it cannot be given to another test, or ''. Its body names each table,
-- because statements that are made anew each time would be planned each time. Triggers and foreign keys rest.
DO $make$
DECLARE
	body text := '';
	one record;
	columns text;
	filled boolean;
BEGIN
	FOR one IN SELECT oid, relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY relname LOOP
		body := body || format(E'IF pg_relation_size(%s::oid) > 0 THEN DELETE FROM public.%I; END IF;\n', one.oid, one.relname);
		EXECUTE format('ALTER TABLE public.%I SET (autovacuum_enabled = false)', one.relname);
		EXECUTE format('SELECT EXISTS (SELECT FROM public.%I)', one.relname) INTO filled;
		CONTINUE WHEN NOT filled;
		SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) INTO columns
		FROM pg_attribute WHERE attrelid = one.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '';
		EXECUTE format('CREATE TABLE kept.rows_%s AS SELECT %s FROM public.%I', one.oid, columns, one.relname);
		body := body || format(E'INSERT INTO public.%1$I (%2$s) OVERRIDING SYSTEM VALUE SELECT %2$s FROM kept.rows_%3$s;\n', one.relname, columns, one.oid);
	END LOOP;
	FOR one IN SELECT c.oid, s.last_value, s.start_value FROM pg_sequences s
		JOIN pg_class c ON c.relname = s.sequencename AND c.relnamespace = 'public'::regnamespace
		WHERE s.schemaname = 'public'
	LOOP
		body := body || format(E'IF pg_sequence_last_value(%1$s::oid) IS DISTINCT FROM %2$s THEN PERFORM setval(%1$s::regclass, %3$s, %4$L); END IF;\n',
			one.oid, coalesce(one.last_value::text, 'NULL'), coalesce(one.last_value, one.start_value), one.last_value IS NOT NULL);
	END LOOP;
	EXECUTE format($function$
		CREATE FUNCTION kept.empty(mine integer[]) RETURNS text LANGUAGE plpgsql SECURITY DEFINER
		SET session_replication_role = replica SET row_security = off AS $$
		BEGIN
			IF EXISTS (SELECT FROM kept.marks) THEN RETURN 'its schema was changed'; END IF;
			IF EXISTS (SELECT FROM kept.sizes k LEFT JOIN pg_class c USING (oid)
			           WHERE (c.relpages, c.reltuples) IS DISTINCT FROM (k.relpages, k.reltuples))
			THEN RETURN 'it was analyzed'; END IF;
			IF EXISTS (SELECT FROM pg_db_role_setting JOIN pg_database d ON d.oid = setdatabase WHERE d.datname = current_database())
			THEN RETURN 'it has settings'; END IF;
			IF EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> ALL (mine))
			THEN RETURN 'it has other connections'; END IF;
			%s
			RETURN '';
		END
		$$
	$function$, body);
END
$make$;

CREATE EVENT TRIGGER kept_mark ON ddl_command_end EXECUTE FUNCTION kept.mark();
