-- The schema as the migrations leave it, to be read; TestSchema keeps it true.

CREATE OR REPLACE FUNCTION public.check_site()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
    broken text := CASE
        WHEN NOT NEW.accent ~ '^(#[0-9a-f]{6})?$' THEN 'accent'
        WHEN NEW.calendar NOT IN ('gregorian', 'jalali') THEN 'calendar'
        WHEN NEW.corners NOT IN ('square', 'slight', 'round') THEN 'corners'
        WHEN NEW.currency_position NOT IN ('prefix', 'postfix') THEN 'currency_position'
        WHEN NEW.date_form NOT IN ('long', 'medium', 'short', 'iso') THEN 'date_form'
        WHEN (NEW.deleted_at IS NULL) <> (NEW.purge_at IS NULL) OR (NEW.deleted_at IS NULL) <> (NEW.deleted_state IS NULL) THEN 'deleted'
        WHEN NEW.english NOT IN ('american', 'british') THEN 'english'
        WHEN NEW.font NOT IN ('theme', 'sans', 'serif', 'humanist', 'slab') THEN 'font'
        WHEN NEW.mailing NOT IN ('off', 'on', 'paused') THEN 'mailing'
        WHEN jsonb_typeof(NEW.overrides) <> 'object' THEN 'overrides'
        WHEN NEW.per_page NOT BETWEEN 1 AND 50 THEN 'per_page'
        WHEN NOT NEW.slug ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$' THEN 'slug'
        WHEN NEW.state NOT IN ('active', 'read_only', 'closed') THEN 'state'
        WHEN NEW.theme NOT IN ('plain', 'journal', 'poster', 'board', 'night') THEN 'theme'
        WHEN NEW.time_form NOT IN ('language', '12', '24') THEN 'time_form'
        WHEN jsonb_typeof(NEW.translations) <> 'object' THEN 'translations'
        WHEN NEW.week_start NOT BETWEEN 0 AND 7 THEN 'week_start'
    END;
BEGIN
    IF broken IS NOT NULL THEN
        RAISE EXCEPTION 'the row of site % breaks %', NEW.id, broken
            USING ERRCODE = 'check_violation', TABLE = 'sites', CONSTRAINT = 'sites_' || broken || '_check';
    END IF;
    RETURN NEW;
END
$function$
;

CREATE OR REPLACE FUNCTION public.count_added_occurrences()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    INSERT INTO occurrence_days AS d (site_id, start_day, end_day, occurrences)
    SELECT site_id, start_local::date, end_local::date, count(*)
    FROM added
    WHERE listed
    GROUP BY site_id, start_local::date, end_local::date
    ON CONFLICT ON CONSTRAINT occurrence_days_pkey DO UPDATE
    SET occurrences = d.occurrences + excluded.occurrences;
    RETURN NULL;
END
$function$
;

CREATE OR REPLACE FUNCTION public.count_changed_occurrences()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
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
    RETURN NULL;
END
$function$
;

CREATE OR REPLACE FUNCTION public.count_removed_occurrences()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    INSERT INTO occurrence_days AS d (site_id, start_day, end_day, occurrences)
    SELECT site_id, start_local::date, end_local::date, -count(*)
    FROM removed
    WHERE listed
    GROUP BY site_id, start_local::date, end_local::date
    ON CONFLICT ON CONSTRAINT occurrence_days_pkey DO UPDATE
    SET occurrences = d.occurrences + excluded.occurrences;
    RETURN NULL;
END
$function$
;

CREATE OR REPLACE FUNCTION public.erase_given(gone bigint[])
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
DECLARE
    site   bigint := nullif(current_setting('kalends.site', true), '')::bigint;
    erased bigint;
BEGIN
    UPDATE changes c
    SET before = NULL,
        kept = NULL
    WHERE c.site_id = site
      AND c.kind IN ('event', 'venue', 'organizer', 'image')
      AND c.id = ANY(gone);
    GET DIAGNOSTICS erased = ROW_COUNT;
    RETURN erased;
END
$function$
;

CREATE OR REPLACE FUNCTION public.erase_person(people bigint[], sent bigint[])
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
DECLARE
    site   bigint := nullif(current_setting('kalends.site', true), '')::bigint;
    erased bigint;
BEGIN
    UPDATE changes c
    SET who = CASE WHEN c.user_id = ANY(people) OR c.user_id = 0 THEN '' ELSE c.who END,
        via_name = CASE WHEN c.user_id = ANY(people) THEN '' ELSE c.via_name END,
        address = CASE WHEN c.user_id = ANY(people) OR c.user_id = 0 THEN '' ELSE c.address END,
        before = CASE WHEN c.kind IN ('user', 'credential', 'passkey', 'session') THEN c.before - ARRAY['login', 'email', 'name', 'user_agent', 'address'] ELSE c.before END
    WHERE c.site_id = site
      AND (c.user_id = ANY(people)
          OR c.kind = 'user' AND c.id = ANY(people)
          OR c.kind = 'event' AND c.id = ANY(sent) AND c.user_id = 0);
    GET DIAGNOSTICS erased = ROW_COUNT;
    RETURN erased;
END
$function$
;

CREATE OR REPLACE FUNCTION public.event_search(first text, second text, third text)
 RETURNS SETOF bigint
 LANGUAGE plpgsql
 STABLE ROWS 10
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
    PERFORM set_config('kalends.words', ARRAY[first, second, third]::text, true);
    RETURN QUERY SELECT e.id FROM event_texts e WHERE e.site_id = nullif(current_setting('kalends.site', true), '')::bigint;
END
$function$
;

CREATE OR REPLACE FUNCTION public.name_site(site bigint, wanted text)
 RETURNS void
 LANGUAGE sql
 IMMUTABLE
AS $function$
$function$
;

CREATE OR REPLACE FUNCTION public.note_user_addresses()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    INSERT INTO user_addresses AS a (site_id, user_id, hash)
    SELECT site_id, id, sha256(convert_to(email_key, 'UTF8'))
    FROM added
    ON CONFLICT (site_id, user_id) DO UPDATE
    SET hash = excluded.hash
    WHERE a.hash <> excluded.hash;
    RETURN NULL;
END
$function$
;

CREATE OR REPLACE FUNCTION public.purge_changes(cutoff timestamp with time zone, most integer)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.site_of(wanted text)
 RETURNS bigint
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
    SELECT s.id FROM sites s WHERE s.slug = wanted
$function$
;

CREATE OR REPLACE FUNCTION public.texts_in(search text, languages text[])
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
    SELECT CASE
        WHEN position(E'\x02' IN search) = 0 THEN search
        ELSE split_part(search, E'\x02', 1) || COALESCE((
            SELECT string_agg(E'\n' || split_part(split_part(search, E'\x02' || l || E'\n', 2), E'\x02', 1), '')
            FROM unnest(languages) l), '')
        END
$function$
;

CREATE TABLE attempts (
    site_id bigint NOT NULL,
    id bytea NOT NULL,
    full_at timestamp with time zone NOT NULL,
    CONSTRAINT attempts_pkey PRIMARY KEY (site_id, id),
    CONSTRAINT attempts_site_fkey FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE CASCADE,
);
CREATE INDEX attempts_full_idx ON public.attempts USING btree (site_id, full_at);
ALTER TABLE attempts FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON attempts USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT DELETE, INSERT, SELECT, UPDATE ON attempts TO kalends_service;

CREATE TABLE attention_rounds (
    site_id bigint NOT NULL,
    looked bigint NOT NULL DEFAULT 0,
    due_at timestamp with time zone NOT NULL DEFAULT 'infinity'::timestamp with time zone,
    lease text NOT NULL DEFAULT ''::text,
    lease_until timestamp with time zone,
    CONSTRAINT attention_rounds_pkey PRIMARY KEY (site_id),
    CONSTRAINT attention_rounds_site_fkey FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE CASCADE,
);
GRANT DELETE, INSERT, SELECT, UPDATE ON attention_rounds TO kalends_service;

CREATE TABLE challenges (
    site_id bigint NOT NULL,
    id bytea NOT NULL,
    data bytea NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT challenges_pkey PRIMARY KEY (site_id, id),
    CONSTRAINT challenges_site_fkey FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE CASCADE,
);
ALTER TABLE challenges FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON challenges USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT DELETE, INSERT, SELECT, UPDATE ON challenges TO kalends_service;

CREATE TABLE changes (
    site_id bigint NOT NULL,
    version bigint NOT NULL,
    kind text NOT NULL,
    id bigint NOT NULL,
    action text NOT NULL,
    user_id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    n bigint NOT NULL DEFAULT 0,
    who text NOT NULL DEFAULT ''::text,
    via text NOT NULL DEFAULT ''::text,
    via_name text NOT NULL DEFAULT ''::text,
    address text NOT NULL DEFAULT ''::text,
    before jsonb,
    kept jsonb,
    import_id bigint,
    CONSTRAINT changes_pkey PRIMARY KEY (site_id, version, kind, id, n),
    CONSTRAINT changes_site_fkey FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE CASCADE,
    CONSTRAINT changes_action_check CHECK ((action = ANY (ARRAY['create'::text, 'update'::text, 'trash'::text, 'restore'::text, 'publish'::text, 'delete'::text, 'correct'::text, 'dismiss'::text, 'sign_in'::text, 'sign_in_failed'::text]))),
    CONSTRAINT changes_before_check CHECK ((jsonb_typeof(before) = 'object'::text)),
);
CREATE INDEX changes_gone_idx ON public.changes USING btree (site_id, at) WHERE ((kind = 'event'::text) AND ((action = 'delete'::text) OR ((before ->> 'status'::text) = 'publish'::text) OR ((before ->> 'hide_from_listings'::text) = 'false'::text)));
CREATE INDEX changes_object_idx ON public.changes USING btree (site_id, kind, id, version) WHERE (action <> 'create'::text);
ALTER TABLE changes FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON changes USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT INSERT, SELECT ON changes TO kalends_service;

CREATE TABLE credentials (
    site_id bigint NOT NULL,
    id bigint NOT NULL,
    user_id bigint NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    hash bytea NOT NULL,
    read_only boolean NOT NULL DEFAULT false,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    last_used_at timestamp with time zone,
    scopes text[],
    categories bigint[],
    expires_at timestamp with time zone,
    CONSTRAINT credentials_hash_key UNIQUE (site_id, hash),
    CONSTRAINT credentials_pkey PRIMARY KEY (site_id, id),
    CONSTRAINT credentials_user_fkey FOREIGN KEY (site_id, user_id) REFERENCES users(site_id, id) ON DELETE CASCADE,
    CONSTRAINT credentials_kind_check CHECK ((kind = ANY (ARRAY['application_password'::text, 'api_key'::text]))),
);
CREATE INDEX credentials_user_idx ON public.credentials USING btree (site_id, user_id);
ALTER TABLE credentials FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON credentials USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT DELETE, INSERT, SELECT, UPDATE ON credentials TO kalends_service;

CREATE TABLE divided_series (
    site_id bigint NOT NULL,
    series_id bigint NOT NULL,
    from_start timestamp without time zone NOT NULL,
    heir_id bigint NOT NULL,
    CONSTRAINT divided_series_pkey PRIMARY KEY (site_id, series_id, from_start),
    CONSTRAINT divided_series_heir_fkey FOREIGN KEY (site_id, heir_id) REFERENCES events(site_id, id) ON DELETE CASCADE,
    CONSTRAINT divided_series_series_fkey FOREIGN KEY (site_id, series_id) REFERENCES events(site_id, id) ON DELETE CASCADE,
);
CREATE INDEX divided_series_heir_idx ON public.divided_series USING btree (site_id, heir_id);
ALTER TABLE divided_series FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON divided_series USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT DELETE, INSERT, SELECT, UPDATE ON divided_series TO kalends_service;

CREATE TABLE domain_claims (
    site_id bigint NOT NULL,
    domain text NOT NULL,
    token text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    checked_at timestamp with time zone,
    CONSTRAINT domain_claims_pkey PRIMARY KEY (site_id, domain),
    CONSTRAINT domain_claims_site_fkey FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE CASCADE,
);
ALTER TABLE domain_claims FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON domain_claims USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT DELETE, INSERT, SELECT, UPDATE ON domain_claims TO kalends_service;

CREATE TABLE domains (
    domain text NOT NULL,
    site_id bigint NOT NULL,
    verified_by text NOT NULL DEFAULT 'provider'::text,
    verified_at timestamp with time zone NOT NULL DEFAULT now(),
    CONSTRAINT domains_pkey PRIMARY KEY (domain),
    CONSTRAINT domains_site_fkey FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE CASCADE,
    CONSTRAINT domains_verified_check CHECK ((verified_by = ANY (ARRAY['provider'::text, 'dns'::text, 'http'::text]))),
);
CREATE INDEX domains_site_idx ON public.domains USING btree (site_id);
GRANT DELETE, INSERT, SELECT, UPDATE ON domains TO kalends_service;

CREATE TABLE drafts (
    site_id bigint NOT NULL,
    user_id bigint NOT NULL,
    kind text NOT NULL,
    id bigint NOT NULL,
    form jsonb NOT NULL,
    base bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    CONSTRAINT drafts_pkey PRIMARY KEY (site_id, user_id, kind, id),
    CONSTRAINT drafts_user_fkey FOREIGN KEY (site_id, user_id) REFERENCES users(site_id, id) ON DELETE CASCADE,
    CONSTRAINT drafts_form_check CHECK (((jsonb_typeof(form) = 'object'::text) AND (pg_column_size(form) <= 2000000))),
);
ALTER TABLE drafts FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON drafts USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT DELETE, INSERT, SELECT, UPDATE ON drafts TO kalends_service;

CREATE TABLE event_numbers (
    site_id bigint NOT NULL,
    event_id bigint NOT NULL,
    day date NOT NULL,
    views bigint NOT NULL DEFAULT 0,
    calendars bigint NOT NULL DEFAULT 0,
    tickets bigint NOT NULL DEFAULT 0,
    letters bigint NOT NULL DEFAULT 0,
    CONSTRAINT event_numbers_pkey PRIMARY KEY (site_id, event_id, day),
    CONSTRAINT event_numbers_event_fkey FOREIGN KEY (site_id, event_id) REFERENCES events(site_id, id) ON DELETE CASCADE,
);
CREATE INDEX event_numbers_day_idx ON public.event_numbers USING btree (site_id, day);
ALTER TABLE event_numbers FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON event_numbers USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT DELETE, INSERT, SELECT, UPDATE ON event_numbers TO kalends_service;

CREATE TABLE event_organizers (
    site_id bigint NOT NULL,
    event_id bigint NOT NULL,
    organizer_id bigint NOT NULL,
    position integer NOT NULL,
    CONSTRAINT event_organizers_pkey PRIMARY KEY (site_id, event_id, organizer_id),
    CONSTRAINT event_organizers_event_fkey FOREIGN KEY (site_id, event_id) REFERENCES events(site_id, id) ON DELETE CASCADE,
    CONSTRAINT event_organizers_organizer_fkey FOREIGN KEY (site_id, organizer_id) REFERENCES organizers(site_id, id) ON DELETE CASCADE,
);
CREATE INDEX event_organizers_organizer_idx ON public.event_organizers USING btree (site_id, organizer_id, event_id);
ALTER TABLE event_organizers FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON event_organizers USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT DELETE, INSERT, SELECT, UPDATE ON event_organizers TO kalends_service;

CREATE TABLE event_terms (
    site_id bigint NOT NULL,
    event_id bigint NOT NULL,
    term_id bigint NOT NULL,
    CONSTRAINT event_terms_pkey PRIMARY KEY (site_id, event_id, term_id),
    CONSTRAINT event_terms_event_fkey FOREIGN KEY (site_id, event_id) REFERENCES events(site_id, id) ON DELETE CASCADE,
    CONSTRAINT event_terms_term_fkey FOREIGN KEY (site_id, term_id) REFERENCES terms(site_id, id) ON DELETE CASCADE,
);
CREATE INDEX event_terms_term_idx ON public.event_terms USING btree (site_id, term_id, event_id);
ALTER TABLE event_terms FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON event_terms USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT DELETE, INSERT, SELECT, UPDATE ON event_terms TO kalends_service;

CREATE TABLE event_texts (
    site_id bigint NOT NULL,
    id bigint NOT NULL,
    search text NOT NULL,
    texts_indexed boolean NOT NULL DEFAULT true,
    CONSTRAINT event_texts_pkey PRIMARY KEY (site_id, id),
    CONSTRAINT event_texts_site_fkey FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE CASCADE,
);
ALTER TABLE event_texts FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON event_texts USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
CREATE POLICY words ON event_texts USING ((search ~~ ( SELECT
        CASE
            WHEN ((w.words[1] = w.words[2]) AND (w.words[2] = w.words[3])) THEN w.words[1]
            ELSE NULL::text
        END AS "case"
   FROM ( SELECT (NULLIF(current_setting('kalends.words'::text, true), ''::text))::text[] AS words) w)) OR ((search ~~ ( SELECT
        CASE
            WHEN ((w.words[1] <> w.words[2]) OR (w.words[2] <> w.words[3])) THEN w.words[1]
            ELSE NULL::text
        END AS "case"
   FROM ( SELECT (NULLIF(current_setting('kalends.words'::text, true), ''::text))::text[] AS words) w)) AND (search ~~ ( SELECT ((NULLIF(current_setting('kalends.words'::text, true), ''::text))::text[])[2] AS "nullif")) AND (search ~~ ( SELECT ((NULLIF(current_setting('kalends.words'::text, true), ''::text))::text[])[3] AS "nullif"))));
GRANT SELECT ON event_texts TO kalends_service;

CREATE TABLE event_venues (
    site_id bigint NOT NULL,
    event_id bigint NOT NULL,
    venue_id bigint NOT NULL,
    position integer NOT NULL,
    CONSTRAINT event_venues_pkey PRIMARY KEY (site_id, event_id, venue_id),
    CONSTRAINT event_venues_event_fkey FOREIGN KEY (site_id, event_id) REFERENCES events(site_id, id) ON DELETE CASCADE,
    CONSTRAINT event_venues_venue_fkey FOREIGN KEY (site_id, venue_id) REFERENCES venues(site_id, id) ON DELETE CASCADE,
);
CREATE INDEX event_venues_venue_idx ON public.event_venues USING btree (site_id, venue_id, event_id);
ALTER TABLE event_venues FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON event_venues USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT DELETE, INSERT, SELECT, UPDATE ON event_venues TO kalends_service;

CREATE TABLE events (
    site_id bigint NOT NULL,
    id bigint NOT NULL,
    version bigint NOT NULL,
    author bigint,
    status text NOT NULL,
    slug text NOT NULL,
    published_at timestamp with time zone NOT NULL,
    dated boolean NOT NULL,
    modified_at timestamp with time zone NOT NULL,
    image_id bigint,
    title text NOT NULL,
    description text NOT NULL DEFAULT ''::text,
    excerpt text NOT NULL DEFAULT ''::text,
    timezone text NOT NULL,
    all_day boolean NOT NULL DEFAULT false,
    start_local timestamp without time zone NOT NULL,
    end_local timestamp without time zone NOT NULL,
    start_utc timestamp with time zone NOT NULL,
    end_utc timestamp with time zone NOT NULL,
    cost text[] NOT NULL DEFAULT '{}'::text[],
    website text NOT NULL DEFAULT ''::text,
    show_map boolean NOT NULL DEFAULT false,
    show_map_link boolean NOT NULL DEFAULT false,
    hidden boolean NOT NULL DEFAULT false,
    sticky boolean NOT NULL DEFAULT false,
    featured boolean NOT NULL DEFAULT false,
    parent_id bigint,
    password bytea,
    tickets jsonb,
    search text NOT NULL,
    venue_ids bigint[] NOT NULL,
    organizer_ids bigint[] NOT NULL,
    term_ids bigint[] NOT NULL,
    rules jsonb,
    several boolean NOT NULL DEFAULT false,
    stored_until timestamp without time zone,
    last_start_utc timestamp with time zone,
    series_id bigint,
    original_start timestamp without time zone,
    overrides text[] NOT NULL DEFAULT '{}'::text[],
    event_status text NOT NULL DEFAULT 'scheduled'::text,
    status_reason text NOT NULL DEFAULT ''::text,
    previous_start timestamp with time zone,
    attendance text NOT NULL DEFAULT 'offline'::text,
    virtual_url text NOT NULL DEFAULT ''::text,
    virtual_shown text NOT NULL DEFAULT 'always'::text,
    uid text NOT NULL DEFAULT ''::text,
    sequence integer NOT NULL DEFAULT 0,
    languages text[],
    translations jsonb,
    waiting_dates bytea,
    seo_title text NOT NULL DEFAULT ''::text,
    seo_description text NOT NULL DEFAULT ''::text,
    source_id bigint,
    given jsonb,
    accessibility text[] NOT NULL DEFAULT '{}'::text[],
    audience text[] NOT NULL DEFAULT '{}'::text[],
    end_unknown boolean NOT NULL DEFAULT false,
    texts_indexed boolean NOT NULL DEFAULT true,
    fields jsonb,
    event_language text[] NOT NULL DEFAULT '{}'::text[],
    registration_until text NOT NULL DEFAULT ''::text,
    review_note text NOT NULL DEFAULT ''::text,
    performers text NOT NULL DEFAULT ''::text,
    video_url text NOT NULL DEFAULT ''::text,
    CONSTRAINT events_pkey PRIMARY KEY (site_id, id),
    CONSTRAINT events_author_fkey FOREIGN KEY (site_id, author) REFERENCES users(site_id, id) ON DELETE SET NULL (author),
    CONSTRAINT events_image_fkey FOREIGN KEY (site_id, image_id) REFERENCES images(site_id, id) ON DELETE SET NULL (image_id),
    CONSTRAINT events_parent_fkey FOREIGN KEY (site_id, parent_id) REFERENCES events(site_id, id) ON DELETE SET NULL (parent_id),
    CONSTRAINT events_series_fkey FOREIGN KEY (site_id, series_id) REFERENCES events(site_id, id) ON DELETE CASCADE,
    CONSTRAINT events_site_fkey FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE CASCADE,
    CONSTRAINT events_attendance_check CHECK ((attendance = ANY (ARRAY['offline'::text, 'online'::text, 'mixed'::text]))),
    CONSTRAINT events_dates_check CHECK ((end_utc >= start_utc)),
    CONSTRAINT events_event_status_check CHECK ((event_status = ANY (ARRAY['scheduled'::text, 'cancelled'::text, 'postponed'::text, 'rescheduled'::text]))),
    CONSTRAINT events_rules_check CHECK ((jsonb_typeof(rules) = 'object'::text)),
    CONSTRAINT events_series_check CHECK (((series_id IS NULL) OR ((original_start IS NOT NULL) AND (rules IS NULL)))),
    CONSTRAINT events_status_check CHECK ((status = ANY (ARRAY['publish'::text, 'future'::text, 'draft'::text, 'pending'::text, 'private'::text, 'trash'::text]))),
    CONSTRAINT events_tickets_check CHECK ((jsonb_typeof(tickets) = 'array'::text)),
    CONSTRAINT events_virtual_shown_check CHECK ((virtual_shown = ANY (ARRAY['always'::text, 'started'::text, 'never'::text]))),
);
CREATE INDEX events_image_idx ON public.events USING btree (site_id, image_id) WHERE (image_id IS NOT NULL);
CREATE INDEX events_of_author_idx ON public.events USING btree (author, site_id) WHERE (author IS NOT NULL);
CREATE INDEX events_parent_idx ON public.events USING btree (site_id, parent_id) WHERE (parent_id IS NOT NULL);
CREATE INDEX events_protected_idx ON public.events USING btree (site_id, id) WHERE (password IS NOT NULL);
CREATE INDEX events_series_idx ON public.events USING btree (site_id, id) WHERE ((rules IS NOT NULL) OR (series_id IS NOT NULL));
CREATE UNIQUE INDEX events_series_key ON public.events USING btree (site_id, series_id, original_start) WHERE (series_id IS NOT NULL);
CREATE UNIQUE INDEX events_slug_key ON public.events USING btree (site_id, slug) WHERE (slug <> ''::text);
CREATE INDEX events_source_idx ON public.events USING btree (site_id, source_id) WHERE (source_id IS NOT NULL);
CREATE INDEX events_status_idx ON public.events USING btree (site_id, status, start_local, id) WHERE (status <> 'publish'::text);
CREATE INDEX events_texts_idx ON public.events USING gin (site_id, search gin_trgm_ops) WITH (gin_pending_list_limit='512') WHERE texts_indexed;
CREATE INDEX events_uid_idx ON public.events USING btree (site_id, uid) WHERE (uid <> ''::text);
ALTER TABLE events FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON events USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT DELETE, INSERT, SELECT, UPDATE ON events TO kalends_service;

CREATE TABLE former_dates (
    site_id bigint NOT NULL,
    series_id bigint NOT NULL,
    original_start timestamp without time zone NOT NULL,
    id bigint NOT NULL,
    CONSTRAINT former_dates_pkey PRIMARY KEY (site_id, series_id, original_start),
    CONSTRAINT former_dates_series_fkey FOREIGN KEY (site_id, series_id) REFERENCES events(site_id, id) ON DELETE CASCADE,
);
ALTER TABLE former_dates FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON former_dates USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT DELETE, INSERT, SELECT, UPDATE ON former_dates TO kalends_service;

CREATE TABLE forms (
    site_id bigint NOT NULL,
    id bytea NOT NULL,
    made bigint NOT NULL DEFAULT 0,
    at timestamp with time zone NOT NULL,
    CONSTRAINT forms_pkey PRIMARY KEY (site_id, id),
    CONSTRAINT forms_site_fkey FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE CASCADE,
);
CREATE INDEX forms_at_idx ON public.forms USING btree (site_id, at);
ALTER TABLE forms FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON forms USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT DELETE, INSERT, SELECT, UPDATE ON forms TO kalends_service;

CREATE TABLE gatherings (
    site_id bigint NOT NULL,
    source_id bigint NOT NULL,
    giver_id bigint NOT NULL,
    seen bigint NOT NULL DEFAULT 0,
    CONSTRAINT gatherings_pkey PRIMARY KEY (site_id, source_id),
    CONSTRAINT gatherings_site_fkey FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE CASCADE,
);
GRANT DELETE, INSERT, SELECT, UPDATE ON gatherings TO kalends_service;

CREATE TABLE images (
    site_id bigint NOT NULL,
    id bigint NOT NULL,
    version bigint NOT NULL,
    author bigint,
    key text NOT NULL,
    file text NOT NULL,
    mime text NOT NULL,
    extension text NOT NULL,
    width integer NOT NULL,
    height integer NOT NULL,
    bytes bigint NOT NULL,
    sizes jsonb NOT NULL DEFAULT '[]'::jsonb,
    alt text NOT NULL DEFAULT ''::text,
    source text NOT NULL DEFAULT ''::text,
    created_at timestamp with time zone NOT NULL,
    translations jsonb,
    tone text NOT NULL DEFAULT ''::text,
    focus_x integer NOT NULL DEFAULT 50,
    focus_y integer NOT NULL DEFAULT 50,
    CONSTRAINT images_key_key UNIQUE (site_id, key),
    CONSTRAINT images_pkey PRIMARY KEY (site_id, id),
    CONSTRAINT images_author_fkey FOREIGN KEY (site_id, author) REFERENCES users(site_id, id) ON DELETE SET NULL (author),
    CONSTRAINT images_site_fkey FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE CASCADE,
    CONSTRAINT images_focus_check CHECK ((((focus_x >= 0) AND (focus_x <= 100)) AND ((focus_y >= 0) AND (focus_y <= 100)))) NOT VALID,
    CONSTRAINT images_sizes_check CHECK ((jsonb_typeof(sizes) = 'array'::text)),
    CONSTRAINT images_tone_check CHECK ((tone ~ '^(#[0-9a-f]{6})?$'::text)) NOT VALID,
    CONSTRAINT images_translations_check CHECK ((jsonb_typeof(translations) = 'object'::text)),
);
CREATE INDEX images_author_idx ON public.images USING btree (site_id, author);
CREATE INDEX images_source_idx ON public.images USING btree (site_id, md5(source)) WHERE (source <> ''::text);
ALTER TABLE images FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON images USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT DELETE, INSERT, SELECT, UPDATE ON images TO kalends_service;

CREATE TABLE import_brought (
    site_id bigint NOT NULL,
    source bytea NOT NULL,
    kind text NOT NULL,
    was bigint NOT NULL,
    id bigint NOT NULL,
    said jsonb NOT NULL,
    version bigint NOT NULL,
    CONSTRAINT import_brought_pkey PRIMARY KEY (site_id, source, kind, was),
    CONSTRAINT import_brought_site_fkey FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE CASCADE,
    CONSTRAINT import_brought_kind_check CHECK ((kind = ANY (ARRAY['venue'::text, 'organizer'::text, 'category'::text, 'tag'::text]))),
);
ALTER TABLE import_brought FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON import_brought USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT DELETE, INSERT, SELECT, UPDATE ON import_brought TO kalends_service;

CREATE TABLE import_columns (
    site_id bigint NOT NULL,
    header bytea NOT NULL,
    columns jsonb NOT NULL,
    at timestamp with time zone NOT NULL,
    CONSTRAINT import_columns_pkey PRIMARY KEY (site_id, header),
    CONSTRAINT import_columns_site_fkey FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE CASCADE,
);
ALTER TABLE import_columns FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON import_columns USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT DELETE, INSERT, SELECT, UPDATE ON import_columns TO kalends_service;

CREATE TABLE import_entries (
    site_id bigint NOT NULL,
    import_id bigint NOT NULL,
    number integer NOT NULL,
    result text NOT NULL,
    line integer NOT NULL DEFAULT 0,
    uid text NOT NULL DEFAULT ''::text,
    recurrence text NOT NULL DEFAULT ''::text,
    title text NOT NULL DEFAULT ''::text,
    start text NOT NULL DEFAULT ''::text,
    event_id bigint NOT NULL DEFAULT 0,
    version bigint NOT NULL DEFAULT 0,
    fields text[] NOT NULL DEFAULT '{}'::text[],
    found jsonb,
    was jsonb,
    CONSTRAINT import_entries_pkey PRIMARY KEY (site_id, import_id, number),
    CONSTRAINT import_entries_import_fkey FOREIGN KEY (site_id, import_id) REFERENCES imports(site_id, id) ON DELETE CASCADE,
);
ALTER TABLE import_entries FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON import_entries USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT DELETE, INSERT, SELECT, UPDATE ON import_entries TO kalends_service;

CREATE TABLE import_files (
    site_id bigint NOT NULL,
    import_id bigint NOT NULL,
    n integer NOT NULL,
    data bytea NOT NULL,
    CONSTRAINT import_files_pkey PRIMARY KEY (site_id, import_id, n),
    CONSTRAINT import_files_import_fkey FOREIGN KEY (site_id, import_id) REFERENCES imports(site_id, id) ON DELETE CASCADE,
);
ALTER TABLE import_files FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON import_files USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT DELETE, INSERT, SELECT, UPDATE ON import_files TO kalends_service;

CREATE TABLE import_identities (
    site_id bigint NOT NULL,
    source bytea NOT NULL,
    uid text NOT NULL,
    recurrence text NOT NULL DEFAULT ''::text,
    event_id bigint NOT NULL,
    date_id bigint NOT NULL DEFAULT 0,
    place bytea NOT NULL,
    digest bytea NOT NULL,
    sequence bigint NOT NULL DEFAULT 0,
    modified timestamp with time zone,
    version bigint NOT NULL DEFAULT 0,
    kept text[] NOT NULL DEFAULT '{}'::text[],
    said jsonb NOT NULL,
    CONSTRAINT import_identities_pkey PRIMARY KEY (site_id, source, uid, recurrence),
    CONSTRAINT import_identities_site_fkey FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE CASCADE,
);
CREATE INDEX import_identities_event_idx ON public.import_identities USING btree (site_id, event_id);
ALTER TABLE import_identities FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON import_identities USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT DELETE, INSERT, SELECT, UPDATE ON import_identities TO kalends_service;

CREATE TABLE import_made (
    site_id bigint NOT NULL,
    import_id bigint NOT NULL,
    kind text NOT NULL,
    id bigint NOT NULL,
    CONSTRAINT import_made_pkey PRIMARY KEY (site_id, import_id, kind, id),
    CONSTRAINT import_made_import_fkey FOREIGN KEY (site_id, import_id) REFERENCES imports(site_id, id) ON DELETE CASCADE,
);
ALTER TABLE import_made FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON import_made USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT DELETE, INSERT, SELECT, UPDATE ON import_made TO kalends_service;

CREATE TABLE imports (
    site_id bigint NOT NULL,
    id bigint NOT NULL,
    state text NOT NULL,
    format text NOT NULL DEFAULT ''::text,
    asked jsonb NOT NULL DEFAULT '{}'::jsonb,
    dry_run boolean NOT NULL DEFAULT false,
    policy text NOT NULL DEFAULT 'update'::text,
    name text NOT NULL DEFAULT ''::text,
    address text NOT NULL DEFAULT ''::text,
    shown text NOT NULL DEFAULT ''::text,
    source bytea,
    received boolean NOT NULL DEFAULT true,
    undoes bigint NOT NULL DEFAULT 0,
    user_id bigint NOT NULL DEFAULT 0,
    credential bigint NOT NULL DEFAULT 0,
    who text NOT NULL DEFAULT ''::text,
    via text NOT NULL DEFAULT ''::text,
    via_name text NOT NULL DEFAULT ''::text,
    client text NOT NULL DEFAULT ''::text,
    total integer NOT NULL DEFAULT 0,
    noted integer NOT NULL DEFAULT 0,
    created integer NOT NULL DEFAULT 0,
    changed integer NOT NULL DEFAULT 0,
    same integer NOT NULL DEFAULT 0,
    cancelled integer NOT NULL DEFAULT 0,
    refused integer NOT NULL DEFAULT 0,
    warned integer NOT NULL DEFAULT 0,
    columns jsonb,
    problem jsonb,
    created_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    undone_at timestamp with time zone,
    attempt integer NOT NULL DEFAULT 0,
    lease text,
    source_id bigint NOT NULL DEFAULT 0,
    secret bytea,
    left_out jsonb,
    CONSTRAINT imports_pkey PRIMARY KEY (site_id, id),
    CONSTRAINT imports_site_fkey FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE CASCADE,
    CONSTRAINT imports_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'running'::text, 'done'::text, 'failed'::text, 'cancelled'::text]))),
);
CREATE INDEX imports_waiting_idx ON public.imports USING btree (site_id, id) WHERE (state = ANY (ARRAY['queued'::text, 'running'::text]));
ALTER TABLE imports FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON imports USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT DELETE, INSERT, SELECT, UPDATE ON imports TO kalends_service;

CREATE TABLE installation (
    one boolean NOT NULL DEFAULT true,
    secret bytea NOT NULL,
    zones text NOT NULL DEFAULT ''::text,
    folding integer NOT NULL DEFAULT 0,
    beginning boolean NOT NULL DEFAULT false,
    pictures text NOT NULL DEFAULT ''::text,
    backed_up_at timestamp with time zone,
    new_sites jsonb NOT NULL DEFAULT '{}'::jsonb,
    tones integer NOT NULL DEFAULT 0,
    CONSTRAINT installation_pkey PRIMARY KEY (one),
    CONSTRAINT installation_one_check CHECK (one),
);
GRANT INSERT, SELECT ON installation TO kalends_service;

CREATE TABLE jobs (
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    kind text NOT NULL,
    state text NOT NULL,
    site text NOT NULL,
    object bigint NOT NULL DEFAULT 0,
    become jsonb,
    attempt integer NOT NULL DEFAULT 0,
    done bigint NOT NULL DEFAULT 0,
    total bigint NOT NULL DEFAULT 0,
    bytes bigint NOT NULL DEFAULT 0,
    sha256 text NOT NULL DEFAULT ''::text,
    problem jsonb,
    who text NOT NULL,
    via text NOT NULL,
    address text NOT NULL,
    lease text,
    lease_until timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    purge_at timestamp with time zone,
    keep_days smallint NOT NULL DEFAULT 1,
    CONSTRAINT jobs_pkey PRIMARY KEY (id),
    CONSTRAINT jobs_finished_check CHECK ((((state = ANY (ARRAY['queued'::text, 'running'::text])) = (finished_at IS NULL)) AND ((finished_at IS NULL) = (purge_at IS NULL)))),
    CONSTRAINT jobs_kind_check CHECK ((kind = ANY (ARRAY['export'::text, 'import'::text, 'restore'::text]))),
    CONSTRAINT jobs_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'running'::text, 'done'::text, 'failed'::text, 'cancelled'::text]))),
);
CREATE UNIQUE INDEX jobs_export_key ON public.jobs USING btree (object) WHERE ((kind = 'export'::text) AND (state = ANY (ARRAY['queued'::text, 'running'::text])));
CREATE INDEX jobs_open_idx ON public.jobs USING btree (id) WHERE (state = ANY (ARRAY['queued'::text, 'running'::text]));
CREATE INDEX jobs_purge_idx ON public.jobs USING btree (purge_at) WHERE (purge_at IS NOT NULL);
CREATE UNIQUE INDEX jobs_restore_key ON public.jobs USING btree (object) WHERE ((kind = 'restore'::text) AND (state = ANY (ARRAY['queued'::text, 'running'::text])));
GRANT DELETE, INSERT, SELECT, UPDATE ON jobs TO kalends_service;

CREATE TABLE kept_answers (
    site_id bigint NOT NULL,
    id bytea NOT NULL,
    fingerprint bytea NOT NULL,
    role text NOT NULL,
    at timestamp with time zone NOT NULL,
    kind text NOT NULL DEFAULT ''::text,
    object bigint NOT NULL DEFAULT 0,
    status integer NOT NULL DEFAULT 0,
    headers jsonb,
    body bytea,
    CONSTRAINT kept_answers_pkey PRIMARY KEY (site_id, id),
    CONSTRAINT kept_answers_site_fkey FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE CASCADE,
);
CREATE INDEX kept_answers_at_idx ON public.kept_answers USING btree (site_id, at);
ALTER TABLE kept_answers FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON kept_answers USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT DELETE, INSERT, SELECT, UPDATE ON kept_answers TO kalends_service;

CREATE TABLE letter_months (
    site_id bigint NOT NULL,
    month date NOT NULL,
    sent bigint NOT NULL DEFAULT 0,
    ended bigint NOT NULL DEFAULT 0,
    last_at timestamp with time zone,
    CONSTRAINT letter_months_pkey PRIMARY KEY (site_id, month),
    CONSTRAINT letter_months_site_fkey FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE CASCADE,
);
ALTER TABLE letter_months FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON letter_months USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT DELETE, INSERT, SELECT, UPDATE ON letter_months TO kalends_service;

CREATE TABLE letter_rounds (
    site_id bigint NOT NULL,
    due_at timestamp with time zone NOT NULL,
    lease text NOT NULL DEFAULT ''::text,
    lease_until timestamp with time zone,
    CONSTRAINT letter_rounds_pkey PRIMARY KEY (site_id),
    CONSTRAINT letter_rounds_site_fkey FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE CASCADE,
);
CREATE INDEX letter_rounds_due_idx ON public.letter_rounds USING btree (due_at);
GRANT DELETE, INSERT, SELECT, UPDATE ON letter_rounds TO kalends_service;

CREATE TABLE letter_subscriptions (
    site_id bigint NOT NULL,
    id bigint NOT NULL,
    email text NOT NULL,
    email_key text NOT NULL,
    language text NOT NULL,
    period text NOT NULL,
    filter jsonb NOT NULL DEFAULT '{}'::jsonb,
    home text NOT NULL,
    client bytea,
    network bytea,
    created_at timestamp with time zone NOT NULL,
    confirmed_at timestamp with time zone,
    expires_at timestamp with time zone,
    issue_at timestamp with time zone NOT NULL,
    next_at timestamp with time zone,
    tries integer NOT NULL DEFAULT 0,
    refused integer NOT NULL DEFAULT 0,
    CONSTRAINT letter_subscriptions_pkey PRIMARY KEY (site_id, id),
    CONSTRAINT letter_subscriptions_site_fkey FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE CASCADE,
    CONSTRAINT letter_subscriptions_period_check CHECK ((period = ANY (ARRAY['weekly'::text, 'daily'::text, 'day_before'::text]))),
);
CREATE INDEX letter_subscriptions_email_idx ON public.letter_subscriptions USING btree (site_id, email_key);
CREATE INDEX letter_subscriptions_next_idx ON public.letter_subscriptions USING btree (site_id, next_at) WHERE (next_at IS NOT NULL);
CREATE INDEX letter_subscriptions_waiting_idx ON public.letter_subscriptions USING btree (site_id, created_at) WHERE (confirmed_at IS NULL);
ALTER TABLE letter_subscriptions FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON letter_subscriptions USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT DELETE, INSERT, SELECT, UPDATE ON letter_subscriptions TO kalends_service;

CREATE TABLE nodes (
    id text NOT NULL,
    at timestamp with time zone NOT NULL,
    busy jsonb NOT NULL,
    CONSTRAINT nodes_pkey PRIMARY KEY (id),
);
GRANT DELETE, INSERT, SELECT, UPDATE ON nodes TO kalends_service;

CREATE TABLE occurrence_days (
    site_id bigint NOT NULL,
    start_day date NOT NULL,
    end_day date NOT NULL,
    occurrences integer NOT NULL,
    CONSTRAINT occurrence_days_pkey PRIMARY KEY (site_id, start_day, end_day),
);
ALTER TABLE occurrence_days FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON occurrence_days USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT DELETE, INSERT, SELECT, UPDATE ON occurrence_days TO kalends_service;

CREATE TABLE occurrences (
    site_id bigint NOT NULL,
    event_id bigint NOT NULL,
    n integer NOT NULL DEFAULT 0,
    start_local timestamp without time zone NOT NULL,
    end_local timestamp without time zone NOT NULL,
    start_utc timestamp with time zone NOT NULL,
    end_utc timestamp with time zone NOT NULL,
    listed boolean NOT NULL,
    original_start timestamp without time zone,
    id bigint NOT NULL DEFAULT 
CASE
    WHEN (n = 0) THEN event_id
    ELSE (n)::bigint
END,
    CONSTRAINT occurrences_pkey PRIMARY KEY (site_id, event_id, n),
    CONSTRAINT occurrences_event_fkey FOREIGN KEY (site_id, event_id) REFERENCES events(site_id, id) ON DELETE CASCADE,
);
CREATE INDEX occurrences_listed_idx ON public.occurrences USING btree (site_id, start_local, id) INCLUDE (event_id, n, end_local, original_start) WHERE listed;
CREATE UNIQUE INDEX occurrences_n_key ON public.occurrences USING btree (site_id, n) WHERE (n <> 0);
CREATE INDEX occurrences_series_idx ON public.occurrences USING btree (site_id, event_id, start_local) WHERE (n <> 0);
CREATE INDEX occurrences_start_idx ON public.occurrences USING btree (site_id, start_local, id) INCLUDE (event_id, n, end_local, original_start);
CREATE INDEX occurrences_unlisted_idx ON public.occurrences USING btree (site_id, start_local, id) INCLUDE (event_id, n, end_local, original_start) WHERE (NOT listed);
CREATE TRIGGER occurrences_added AFTER INSERT ON public.occurrences REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added_occurrences();
CREATE TRIGGER occurrences_changed AFTER UPDATE ON public.occurrences REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_changed_occurrences();
CREATE TRIGGER occurrences_removed AFTER DELETE ON public.occurrences REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed_occurrences();
ALTER TABLE occurrences FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON occurrences USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT DELETE, INSERT, SELECT, UPDATE ON occurrences TO kalends_service;

CREATE TABLE organizers (
    site_id bigint NOT NULL,
    id bigint NOT NULL,
    version bigint NOT NULL,
    author bigint,
    status text NOT NULL,
    slug text NOT NULL,
    published_at timestamp with time zone NOT NULL,
    dated boolean NOT NULL,
    modified_at timestamp with time zone NOT NULL,
    image_id bigint,
    name text NOT NULL,
    name_key text NOT NULL,
    description text NOT NULL DEFAULT ''::text,
    excerpt text NOT NULL DEFAULT ''::text,
    phone text NOT NULL DEFAULT ''::text,
    website text NOT NULL DEFAULT ''::text,
    email text NOT NULL DEFAULT ''::text,
    search text NOT NULL,
    translations jsonb,
    apart bigint[] NOT NULL DEFAULT '{}'::bigint[],
    CONSTRAINT organizers_slug_key UNIQUE (site_id, slug),
    CONSTRAINT organizers_pkey PRIMARY KEY (site_id, id),
    CONSTRAINT organizers_author_fkey FOREIGN KEY (site_id, author) REFERENCES users(site_id, id) ON DELETE SET NULL (author),
    CONSTRAINT organizers_image_fkey FOREIGN KEY (site_id, image_id) REFERENCES images(site_id, id) ON DELETE SET NULL (image_id),
    CONSTRAINT organizers_site_fkey FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE CASCADE,
    CONSTRAINT organizers_status_check CHECK ((status = ANY (ARRAY['publish'::text, 'future'::text, 'draft'::text, 'pending'::text, 'private'::text, 'trash'::text]))),
);
CREATE INDEX organizers_author_idx ON public.organizers USING btree (site_id, author);
CREATE INDEX organizers_image_idx ON public.organizers USING btree (site_id, image_id) WHERE (image_id IS NOT NULL);
CREATE INDEX organizers_list_idx ON public.organizers USING btree (site_id, published_at DESC, id DESC);
CREATE INDEX organizers_name_idx ON public.organizers USING btree (site_id, md5(name_key));
ALTER TABLE organizers FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON organizers USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT DELETE, INSERT, SELECT, UPDATE ON organizers TO kalends_service;

CREATE TABLE passkeys (
    site_id bigint NOT NULL,
    id bytea NOT NULL,
    user_id bigint NOT NULL,
    name text NOT NULL,
    sign_count bigint NOT NULL,
    data bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone,
    CONSTRAINT passkeys_pkey PRIMARY KEY (site_id, id),
    CONSTRAINT passkeys_user_fkey FOREIGN KEY (site_id, user_id) REFERENCES users(site_id, id) ON DELETE CASCADE,
);
CREATE INDEX passkeys_user_idx ON public.passkeys USING btree (site_id, user_id);
ALTER TABLE passkeys FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON passkeys USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT DELETE, INSERT, SELECT, UPDATE ON passkeys TO kalends_service;

CREATE TABLE plans (
    name text NOT NULL,
    max_events bigint,
    max_users bigint,
    max_media_bytes bigint,
    requests_per_minute integer,
    geo boolean NOT NULL DEFAULT true,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    max_occurrences bigint,
    max_webhooks bigint,
    max_letters bigint,
    CONSTRAINT plans_pkey PRIMARY KEY (name),
    CONSTRAINT plans_limits_check CHECK (((max_events >= 0) AND (max_users >= 0) AND (max_media_bytes >= 0) AND (requests_per_minute > 0))),
    CONSTRAINT plans_name_check CHECK ((name ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'::text)),
    CONSTRAINT plans_occurrences_check CHECK ((max_occurrences >= 0)),
);
GRANT DELETE, INSERT, SELECT, UPDATE ON plans TO kalends_service;

CREATE TABLE previews (
    site_id bigint NOT NULL,
    event_id bigint NOT NULL,
    token text NOT NULL,
    made_by bigint NOT NULL,
    made_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT previews_token_key UNIQUE (site_id, token),
    CONSTRAINT previews_pkey PRIMARY KEY (site_id, event_id),
    CONSTRAINT previews_event_fkey FOREIGN KEY (site_id, event_id) REFERENCES events(site_id, id) ON DELETE CASCADE,
);
ALTER TABLE previews FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON previews USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT DELETE, INSERT, SELECT, UPDATE ON previews TO kalends_service;

CREATE TABLE provider_answers (
    id bytea NOT NULL,
    attempt bytea NOT NULL,
    fingerprint bytea NOT NULL,
    at timestamp with time zone NOT NULL,
    kind text NOT NULL DEFAULT ''::text,
    object bigint NOT NULL DEFAULT 0,
    status integer NOT NULL DEFAULT 0,
    headers jsonb,
    body bytea,
    CONSTRAINT provider_answers_pkey PRIMARY KEY (id),
);
CREATE INDEX provider_answers_at_idx ON public.provider_answers USING btree (at);
GRANT DELETE, INSERT, SELECT, UPDATE ON provider_answers TO kalends_service;

CREATE TABLE provider_challenges (
    id bytea NOT NULL,
    data bytea NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT provider_challenges_pkey PRIMARY KEY (id),
);
GRANT DELETE, INSERT, SELECT, UPDATE ON provider_challenges TO kalends_service;

CREATE TABLE provider_changes (
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    at timestamp with time zone NOT NULL,
    kind text NOT NULL,
    action text NOT NULL,
    object bigint NOT NULL,
    name text NOT NULL,
    who text NOT NULL DEFAULT ''::text,
    via text NOT NULL DEFAULT ''::text,
    address text NOT NULL DEFAULT ''::text,
    before jsonb,
    after jsonb,
    CONSTRAINT provider_changes_pkey PRIMARY KEY (id),
    CONSTRAINT provider_changes_after_check CHECK ((jsonb_typeof(after) = 'object'::text)),
    CONSTRAINT provider_changes_before_check CHECK ((jsonb_typeof(before) = 'object'::text)),
);
CREATE INDEX provider_changes_object_idx ON public.provider_changes USING btree (kind, object, id);
GRANT INSERT, SELECT ON provider_changes TO kalends_service;

CREATE TABLE provider_sessions (
    id bytea NOT NULL,
    token_id bigint,
    name text NOT NULL,
    seal text NOT NULL,
    csrf text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_seen_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT provider_sessions_pkey PRIMARY KEY (id),
    CONSTRAINT provider_sessions_token_fkey FOREIGN KEY (token_id) REFERENCES provider_tokens(id) ON DELETE CASCADE,
);
CREATE INDEX provider_sessions_token_idx ON public.provider_sessions USING btree (token_id);
GRANT DELETE, INSERT, SELECT, UPDATE ON provider_sessions TO kalends_service;

CREATE TABLE provider_tokens (
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    name text NOT NULL,
    hash bytea NOT NULL,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    last_used_at timestamp with time zone,
    CONSTRAINT provider_tokens_hash_key UNIQUE (hash),
    CONSTRAINT provider_tokens_pkey PRIMARY KEY (id),
);
GRANT DELETE, INSERT, SELECT, UPDATE ON provider_tokens TO kalends_service;

CREATE TABLE provider_traffic (
    site bigint NOT NULL,
    span text NOT NULL,
    begins timestamp with time zone NOT NULL,
    requests bigint NOT NULL,
    refused_limit bigint NOT NULL,
    refused_plan bigint NOT NULL,
    refused_busy bigint NOT NULL,
    errors bigint NOT NULL,
    CONSTRAINT provider_traffic_pkey PRIMARY KEY (site, span, begins),
    CONSTRAINT provider_traffic_span_check CHECK ((span = ANY (ARRAY['hour'::text, 'day'::text]))),
);
GRANT DELETE, INSERT, SELECT, UPDATE ON provider_traffic TO kalends_service;

CREATE TABLE redirects (
    site_id bigint NOT NULL,
    kind text NOT NULL,
    slug text NOT NULL,
    id bigint NOT NULL,
    CONSTRAINT redirects_pkey PRIMARY KEY (site_id, kind, slug),
    CONSTRAINT redirects_site_fkey FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE CASCADE,
    CONSTRAINT redirects_kind_check CHECK ((kind = ANY (ARRAY['event'::text, 'venue'::text, 'organizer'::text, 'category'::text, 'tag'::text]))),
);
CREATE INDEX redirects_id_idx ON public.redirects USING btree (site_id, kind, id);
ALTER TABLE redirects FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON redirects USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT DELETE, INSERT, SELECT, UPDATE ON redirects TO kalends_service;

CREATE TABLE removed_occurrences (
    site_id bigint NOT NULL,
    series_id bigint NOT NULL,
    original_start timestamp without time zone NOT NULL,
    id bigint NOT NULL,
    removed_at timestamp with time zone NOT NULL,
    CONSTRAINT removed_occurrences_id_key UNIQUE (site_id, id),
    CONSTRAINT removed_occurrences_pkey PRIMARY KEY (site_id, series_id, original_start),
    CONSTRAINT removed_occurrences_series_fkey FOREIGN KEY (site_id, series_id) REFERENCES events(site_id, id) ON DELETE CASCADE,
);
ALTER TABLE removed_occurrences FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON removed_occurrences USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT DELETE, INSERT, SELECT, UPDATE ON removed_occurrences TO kalends_service;

CREATE TABLE reports (
    site_id bigint NOT NULL,
    id text NOT NULL,
    event_id bigint,
    date_id bigint NOT NULL,
    day text NOT NULL,
    said text NOT NULL,
    email text NOT NULL,
    email_key text NOT NULL,
    network bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    venue_id bigint,
    organizer_id bigint,
    CONSTRAINT reports_pkey PRIMARY KEY (site_id, id),
    CONSTRAINT reports_event_fkey FOREIGN KEY (site_id, event_id) REFERENCES events(site_id, id) ON DELETE CASCADE,
    CONSTRAINT reports_organizer_fkey FOREIGN KEY (site_id, organizer_id) REFERENCES organizers(site_id, id) ON DELETE CASCADE,
    CONSTRAINT reports_venue_fkey FOREIGN KEY (site_id, venue_id) REFERENCES venues(site_id, id) ON DELETE CASCADE,
    CONSTRAINT reports_about_check CHECK ((num_nonnulls(event_id, venue_id, organizer_id) = 1)),
);
CREATE INDEX reports_event_idx ON public.reports USING btree (site_id, event_id);
CREATE INDEX reports_organizer_idx ON public.reports USING btree (site_id, organizer_id) WHERE (organizer_id IS NOT NULL);
CREATE INDEX reports_venue_idx ON public.reports USING btree (site_id, venue_id) WHERE (venue_id IS NOT NULL);
ALTER TABLE reports FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON reports USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT DELETE, INSERT, SELECT, UPDATE ON reports TO kalends_service;

CREATE TABLE schedule (
    site_id bigint NOT NULL,
    kind text NOT NULL,
    id bigint NOT NULL,
    due_at timestamp with time zone NOT NULL,
    CONSTRAINT schedule_pkey PRIMARY KEY (site_id, kind, id),
    CONSTRAINT schedule_site_fkey FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE CASCADE,
    CONSTRAINT schedule_kind_check CHECK ((kind = ANY (ARRAY['event'::text, 'venue'::text, 'organizer'::text, 'series'::text]))),
);
CREATE INDEX schedule_due_idx ON public.schedule USING btree (due_at);
GRANT DELETE, INSERT, SELECT, UPDATE ON schedule TO kalends_service;

CREATE TABLE second_factors (
    site_id bigint NOT NULL,
    user_id bigint NOT NULL,
    secret bytea NOT NULL,
    last_step bigint NOT NULL,
    codes bytea[] NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT second_factors_pkey PRIMARY KEY (site_id, user_id),
    CONSTRAINT second_factors_user_fkey FOREIGN KEY (site_id, user_id) REFERENCES users(site_id, id) ON DELETE CASCADE,
);
ALTER TABLE second_factors FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON second_factors USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT DELETE, INSERT, SELECT, UPDATE ON second_factors TO kalends_service;

CREATE TABLE selected_objects (
    site_id bigint NOT NULL,
    key uuid NOT NULL,
    id bigint NOT NULL,
    came bigint NOT NULL,
    changed bigint NOT NULL,
    went bigint,
    at timestamp with time zone NOT NULL,
    CONSTRAINT selected_objects_pkey PRIMARY KEY (site_id, key, id, came),
    CONSTRAINT selected_objects_selection_fkey FOREIGN KEY (site_id, key) REFERENCES selections(site_id, key) ON DELETE CASCADE,
);
CREATE INDEX selected_objects_changed_idx ON public.selected_objects USING btree (site_id, key, changed, id) WHERE (went IS NULL);
CREATE INDEX selected_objects_went_idx ON public.selected_objects USING btree (site_id, key, went, id) WHERE (went IS NOT NULL);
ALTER TABLE selected_objects FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON selected_objects USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT DELETE, INSERT, SELECT, UPDATE ON selected_objects TO kalends_service;

CREATE TABLE selections (
    site_id bigint NOT NULL,
    key uuid NOT NULL,
    kind text NOT NULL,
    looked bigint NOT NULL,
    kept bigint NOT NULL DEFAULT 0,
    followed boolean NOT NULL DEFAULT false,
    asked_at timestamp with time zone NOT NULL,
    tidied date NOT NULL DEFAULT '-infinity'::date,
    CONSTRAINT selections_pkey PRIMARY KEY (site_id, key),
    CONSTRAINT selections_site_fkey FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE CASCADE,
);
ALTER TABLE selections FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON selections USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT DELETE, INSERT, SELECT, UPDATE ON selections TO kalends_service;

CREATE TABLE sessions (
    site_id bigint NOT NULL,
    id bytea NOT NULL,
    user_id bigint NOT NULL,
    seal text NOT NULL,
    csrf text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_seen_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    user_agent text NOT NULL DEFAULT ''::text,
    address text NOT NULL DEFAULT ''::text,
    CONSTRAINT sessions_pkey PRIMARY KEY (site_id, id),
    CONSTRAINT sessions_user_fkey FOREIGN KEY (site_id, user_id) REFERENCES users(site_id, id) ON DELETE CASCADE,
);
CREATE INDEX sessions_user_idx ON public.sessions USING btree (site_id, user_id);
ALTER TABLE sessions FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON sessions USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT DELETE, INSERT, SELECT, UPDATE ON sessions TO kalends_service;

CREATE TABLE sign_in_identities (
    site_id bigint NOT NULL,
    issuer text NOT NULL,
    subject text NOT NULL,
    user_id bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT sign_in_identities_user_key UNIQUE (site_id, user_id, issuer),
    CONSTRAINT sign_in_identities_pkey PRIMARY KEY (site_id, issuer, subject),
    CONSTRAINT sign_in_identities_user_fkey FOREIGN KEY (site_id, user_id) REFERENCES users(site_id, id) ON DELETE CASCADE,
);
ALTER TABLE sign_in_identities FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON sign_in_identities USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT DELETE, INSERT, SELECT, UPDATE ON sign_in_identities TO kalends_service;

CREATE TABLE sign_in_providers (
    site_id bigint NOT NULL,
    issuer text NOT NULL,
    client_id text NOT NULL,
    secret bytea NOT NULL,
    claim text NOT NULL,
    groups jsonb NOT NULL,
    others text NOT NULL,
    passwords boolean NOT NULL,
    changed_at timestamp with time zone NOT NULL,
    CONSTRAINT sign_in_providers_pkey PRIMARY KEY (site_id),
    CONSTRAINT sign_in_providers_site_fkey FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE CASCADE,
);
ALTER TABLE sign_in_providers FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON sign_in_providers USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT DELETE, INSERT, SELECT, UPDATE ON sign_in_providers TO kalends_service;

CREATE TABLE site_numbers (
    site_id bigint NOT NULL,
    day date NOT NULL,
    calendars bigint NOT NULL DEFAULT 0,
    letters bigint NOT NULL DEFAULT 0,
    CONSTRAINT site_numbers_pkey PRIMARY KEY (site_id, day),
    CONSTRAINT site_numbers_site_fkey FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE CASCADE,
);
ALTER TABLE site_numbers FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON site_numbers USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT DELETE, INSERT, SELECT, UPDATE ON site_numbers TO kalends_service;

CREATE TABLE sites (
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    slug text NOT NULL,
    name text NOT NULL,
    timezone text NOT NULL,
    language text NOT NULL,
    state text NOT NULL DEFAULT 'active'::text,
    per_page integer NOT NULL DEFAULT 15,
    currency_symbol text NOT NULL DEFAULT '$'::text,
    currency_code text NOT NULL DEFAULT 'USD'::text,
    currency_position text NOT NULL DEFAULT 'prefix'::text,
    geo boolean NOT NULL DEFAULT true,
    version bigint NOT NULL DEFAULT 0,
    links_version bigint NOT NULL DEFAULT 0,
    last_post_id bigint NOT NULL DEFAULT 0,
    last_term_id bigint NOT NULL DEFAULT 0,
    last_user_id bigint NOT NULL DEFAULT 0,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    plan text NOT NULL DEFAULT 'unlimited'::text,
    overrides jsonb NOT NULL DEFAULT '{}'::jsonb,
    used_events bigint NOT NULL DEFAULT 0,
    used_users bigint NOT NULL DEFAULT 0,
    used_media_bytes bigint NOT NULL DEFAULT 0,
    deleted_at timestamp with time zone,
    purge_at timestamp with time zone,
    deleted_state text,
    languages text[] NOT NULL DEFAULT '{}'::text[],
    week_start smallint NOT NULL DEFAULT 0,
    date_form text NOT NULL DEFAULT 'long'::text,
    time_form text NOT NULL DEFAULT 'language'::text,
    accent text NOT NULL DEFAULT ''::text,
    uid uuid NOT NULL DEFAULT gen_random_uuid(),
    tagline text NOT NULL DEFAULT ''::text,
    theme text NOT NULL DEFAULT 'plain'::text,
    corners text NOT NULL DEFAULT 'slight'::text,
    font text NOT NULL DEFAULT 'theme'::text,
    logo text NOT NULL DEFAULT ''::text,
    header text NOT NULL DEFAULT ''::text,
    links text NOT NULL DEFAULT ''::text,
    footer_links text NOT NULL DEFAULT ''::text,
    used_occurrences bigint NOT NULL DEFAULT 0,
    changed_at timestamp with time zone NOT NULL DEFAULT now(),
    content_languages text[] NOT NULL DEFAULT '{}'::text[],
    english text NOT NULL DEFAULT 'american'::text,
    calendar text NOT NULL DEFAULT 'gregorian'::text,
    submissions boolean NOT NULL DEFAULT false,
    submission_terms text NOT NULL DEFAULT ''::text,
    submissions_due timestamp with time zone,
    map_tiles text NOT NULL DEFAULT ''::text,
    map_credit text NOT NULL DEFAULT ''::text,
    translations jsonb,
    imports_due timestamp with time zone,
    last_import_id bigint NOT NULL DEFAULT 0,
    sources_due timestamp with time zone,
    sources jsonb NOT NULL DEFAULT '{}'::jsonb,
    share text[] NOT NULL DEFAULT '{}'::text[],
    share_on boolean NOT NULL DEFAULT false,
    mailing text NOT NULL DEFAULT 'off'::text,
    reports boolean NOT NULL DEFAULT true,
    texts_indexed boolean NOT NULL DEFAULT false,
    listed boolean NOT NULL DEFAULT false,
    review boolean NOT NULL DEFAULT false,
    fields jsonb NOT NULL DEFAULT '[]'::jsonb,
    numbers boolean NOT NULL DEFAULT true,
    replaced_version bigint NOT NULL DEFAULT '-1'::integer,
    currency_fixed boolean NOT NULL DEFAULT false,
    seasons jsonb NOT NULL DEFAULT '[]'::jsonb,
    CONSTRAINT sites_slug_key UNIQUE (slug),
    CONSTRAINT sites_pkey PRIMARY KEY (id),
    CONSTRAINT sites_plan_fkey FOREIGN KEY (plan) REFERENCES plans(name),
);
CREATE INDEX sites_imports_due_idx ON public.sites USING btree (imports_due) WHERE (imports_due IS NOT NULL);
CREATE INDEX sites_listed_idx ON public.sites USING btree (lower(name), slug) WHERE listed;
CREATE INDEX sites_plan_idx ON public.sites USING btree (plan);
CREATE INDEX sites_purge_idx ON public.sites USING btree (purge_at) WHERE (purge_at IS NOT NULL);
CREATE INDEX sites_sources_due_idx ON public.sites USING btree (sources_due) WHERE (sources_due IS NOT NULL);
CREATE INDEX sites_submissions_due_idx ON public.sites USING btree (submissions_due) WHERE (submissions_due IS NOT NULL);
CREATE TRIGGER sites_checked BEFORE INSERT OR UPDATE OF accent, calendar, corners, currency_position, date_form, deleted_at, purge_at, deleted_state, english, font, mailing, overrides, per_page, slug, state, theme, time_form, translations, week_start ON public.sites FOR EACH ROW EXECUTE FUNCTION check_site();
GRANT DELETE, INSERT, SELECT, UPDATE ON sites TO kalends_service;

CREATE TABLE sources (
    site_id bigint NOT NULL,
    id bigint NOT NULL,
    version bigint NOT NULL,
    name text NOT NULL,
    kind text NOT NULL,
    shown text NOT NULL DEFAULT ''::text,
    page text NOT NULL DEFAULT ''::text,
    sealed bytea NOT NULL,
    known bytea NOT NULL,
    every integer NOT NULL,
    policy text NOT NULL,
    gone text NOT NULL,
    given jsonb NOT NULL DEFAULT '{}'::jsonb,
    filter jsonb,
    active boolean NOT NULL DEFAULT true,
    user_id bigint NOT NULL,
    credential_id bigint NOT NULL DEFAULT 0,
    home text NOT NULL,
    read_at timestamp with time zone,
    success_at timestamp with time zone,
    next_at timestamp with time zone,
    problem jsonb,
    counts jsonb,
    failures integer NOT NULL DEFAULT 0,
    failing_since timestamp with time zone,
    told_at timestamp with time zone,
    etag text NOT NULL DEFAULT ''::text,
    modified text NOT NULL DEFAULT ''::text,
    digest bytea,
    import_id bigint NOT NULL DEFAULT 0,
    lease text NOT NULL DEFAULT ''::text,
    lease_until timestamp with time zone,
    leaving boolean NOT NULL DEFAULT false,
    created_at timestamp with time zone NOT NULL,
    giver_id bigint NOT NULL DEFAULT 0,
    mapping jsonb,
    CONSTRAINT sources_pkey PRIMARY KEY (site_id, id),
    CONSTRAINT sources_site_fkey FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE CASCADE,
    CONSTRAINT sources_kind_check CHECK ((kind = ANY (ARRAY['ics'::text, 'table'::text, 'json'::text, 'schema'::text, 'tec'::text, 'kalends'::text, 'site'::text]))),
);
ALTER TABLE sources FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON sources USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT DELETE, INSERT, SELECT, UPDATE ON sources TO kalends_service;

CREATE TABLE submissions (
    site_id bigint NOT NULL,
    event_id bigint NOT NULL,
    id bytea NOT NULL,
    email text NOT NULL,
    sent jsonb NOT NULL,
    proved boolean NOT NULL,
    created_at timestamp with time zone NOT NULL,
    settled text NOT NULL DEFAULT ''::text,
    settled_at timestamp with time zone,
    settled_by bigint NOT NULL DEFAULT 0,
    message text NOT NULL DEFAULT ''::text,
    letter_at timestamp with time zone,
    letters integer NOT NULL DEFAULT 0,
    network bytea NOT NULL DEFAULT '\x'::bytea,
    link bytea,
    CONSTRAINT submissions_id_key UNIQUE (site_id, id),
    CONSTRAINT submissions_pkey PRIMARY KEY (site_id, event_id),
    CONSTRAINT submissions_event_fkey FOREIGN KEY (site_id, event_id) REFERENCES events(site_id, id) ON DELETE CASCADE,
);
CREATE INDEX submissions_link_idx ON public.submissions USING btree (site_id, link) WHERE (link IS NOT NULL);
ALTER TABLE submissions FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON submissions USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT DELETE, INSERT, SELECT, UPDATE ON submissions TO kalends_service;

CREATE TABLE terms (
    site_id bigint NOT NULL,
    id bigint NOT NULL,
    version bigint NOT NULL,
    taxonomy text NOT NULL,
    name text NOT NULL,
    name_key text NOT NULL,
    slug text NOT NULL,
    description text NOT NULL DEFAULT ''::text,
    parent_id bigint,
    count integer NOT NULL DEFAULT 0,
    search text NOT NULL,
    color text,
    translations jsonb,
    CONSTRAINT terms_slug_key UNIQUE (site_id, taxonomy, slug),
    CONSTRAINT terms_pkey PRIMARY KEY (site_id, id),
    CONSTRAINT terms_parent_fkey FOREIGN KEY (site_id, parent_id) REFERENCES terms(site_id, id),
    CONSTRAINT terms_site_fkey FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE CASCADE,
    CONSTRAINT terms_color_check CHECK (((color IS NULL) OR ((taxonomy = 'category'::text) AND (color ~ '^#[0-9a-f]{6}$'::text)))),
    CONSTRAINT terms_parent_check CHECK (((parent_id IS NULL) OR ((taxonomy = 'category'::text) AND (parent_id <> id)))),
    CONSTRAINT terms_taxonomy_check CHECK ((taxonomy = ANY (ARRAY['category'::text, 'tag'::text]))),
);
CREATE INDEX terms_name_idx ON public.terms USING btree (site_id, taxonomy, name_key, id);
CREATE INDEX terms_parent_idx ON public.terms USING btree (site_id, parent_id) WHERE (parent_id IS NOT NULL);
ALTER TABLE terms FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON terms USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT DELETE, INSERT, SELECT, UPDATE ON terms TO kalends_service;

CREATE TABLE translated_slugs (
    site_id bigint NOT NULL,
    kind text NOT NULL,
    slug text NOT NULL,
    language text NOT NULL,
    id bigint NOT NULL,
    CONSTRAINT translated_slugs_pkey PRIMARY KEY (site_id, kind, slug, language),
    CONSTRAINT translated_slugs_site_fkey FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE CASCADE,
);
CREATE INDEX translated_slugs_id_idx ON public.translated_slugs USING btree (site_id, kind, id);
ALTER TABLE translated_slugs FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON translated_slugs USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT DELETE, INSERT, SELECT, UPDATE ON translated_slugs TO kalends_service;

CREATE TABLE unconfirmed_submissions (
    site_id bigint NOT NULL,
    id bytea NOT NULL,
    email text NOT NULL,
    client bytea NOT NULL,
    sent jsonb NOT NULL,
    image jsonb,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    network bytea NOT NULL DEFAULT '\x'::bytea,
    bytes bigint NOT NULL DEFAULT 0,
    CONSTRAINT unconfirmed_submissions_pkey PRIMARY KEY (site_id, id),
    CONSTRAINT unconfirmed_submissions_site_fkey FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE CASCADE,
);
CREATE INDEX unconfirmed_submissions_created_idx ON public.unconfirmed_submissions USING btree (site_id, created_at);
ALTER TABLE unconfirmed_submissions FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON unconfirmed_submissions USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT DELETE, INSERT, SELECT, UPDATE ON unconfirmed_submissions TO kalends_service;

CREATE TABLE user_addresses (
    site_id bigint NOT NULL,
    user_id bigint NOT NULL,
    hash bytea NOT NULL,
    CONSTRAINT user_addresses_pkey PRIMARY KEY (site_id, user_id),
    CONSTRAINT user_addresses_user_fkey FOREIGN KEY (site_id, user_id) REFERENCES users(site_id, id) ON DELETE CASCADE,
);
CREATE INDEX user_addresses_hash_idx ON public.user_addresses USING btree (hash, site_id);
GRANT DELETE, INSERT, SELECT, UPDATE ON user_addresses TO kalends_service;

CREATE TABLE users (
    site_id bigint NOT NULL,
    id bigint NOT NULL,
    login text NOT NULL,
    login_key text NOT NULL,
    email text NOT NULL,
    email_key text NOT NULL,
    name text NOT NULL,
    role text NOT NULL,
    password_hash text NOT NULL DEFAULT ''::text,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    language text NOT NULL DEFAULT ''::text,
    theme text NOT NULL DEFAULT ''::text,
    told text NOT NULL DEFAULT 'daily'::text,
    told_at timestamp with time zone NOT NULL DEFAULT now(),
    categories bigint[] NOT NULL DEFAULT '{}'::bigint[],
    venues bigint[] NOT NULL DEFAULT '{}'::bigint[],
    organizers bigint[] NOT NULL DEFAULT '{}'::bigint[],
    CONSTRAINT users_email_key UNIQUE (site_id, email_key),
    CONSTRAINT users_login_key UNIQUE (site_id, login_key),
    CONSTRAINT users_pkey PRIMARY KEY (site_id, id),
    CONSTRAINT users_site_fkey FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE CASCADE,
    CONSTRAINT users_role_check CHECK ((role = ANY (ARRAY['administrator'::text, 'editor'::text, 'author'::text, 'contributor'::text, 'subscriber'::text]))),
    CONSTRAINT users_theme_check CHECK ((theme = ANY (ARRAY[''::text, 'light'::text, 'dark'::text]))),
    CONSTRAINT users_told_check CHECK ((told = ANY (ARRAY['at_once'::text, 'daily'::text, 'never'::text]))),
);
CREATE TRIGGER users_added AFTER INSERT ON public.users REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_user_addresses();
CREATE TRIGGER users_changed AFTER UPDATE ON public.users REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_user_addresses();
ALTER TABLE users FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON users USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT DELETE, INSERT, SELECT, UPDATE ON users TO kalends_service;

CREATE TABLE venues (
    site_id bigint NOT NULL,
    id bigint NOT NULL,
    version bigint NOT NULL,
    author bigint,
    status text NOT NULL,
    slug text NOT NULL,
    published_at timestamp with time zone NOT NULL,
    dated boolean NOT NULL,
    modified_at timestamp with time zone NOT NULL,
    image_id bigint,
    name text NOT NULL,
    name_key text NOT NULL,
    description text NOT NULL DEFAULT ''::text,
    excerpt text NOT NULL DEFAULT ''::text,
    address text NOT NULL DEFAULT ''::text,
    city text NOT NULL DEFAULT ''::text,
    country text NOT NULL DEFAULT ''::text,
    province text NOT NULL DEFAULT ''::text,
    state text NOT NULL DEFAULT ''::text,
    stateprovince text NOT NULL DEFAULT ''::text,
    zip text NOT NULL DEFAULT ''::text,
    phone text NOT NULL DEFAULT ''::text,
    website text NOT NULL DEFAULT ''::text,
    geo_lat double precision,
    geo_lng double precision,
    show_map boolean NOT NULL DEFAULT true,
    show_map_link boolean NOT NULL DEFAULT true,
    search text NOT NULL,
    translations jsonb,
    accessibility text[] NOT NULL DEFAULT '{}'::text[],
    fields jsonb,
    apart bigint[] NOT NULL DEFAULT '{}'::bigint[],
    CONSTRAINT venues_slug_key UNIQUE (site_id, slug),
    CONSTRAINT venues_pkey PRIMARY KEY (site_id, id),
    CONSTRAINT venues_author_fkey FOREIGN KEY (site_id, author) REFERENCES users(site_id, id) ON DELETE SET NULL (author),
    CONSTRAINT venues_image_fkey FOREIGN KEY (site_id, image_id) REFERENCES images(site_id, id) ON DELETE SET NULL (image_id),
    CONSTRAINT venues_site_fkey FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE CASCADE,
    CONSTRAINT venues_geo_check CHECK (((geo_lat IS NULL) = (geo_lng IS NULL))),
    CONSTRAINT venues_status_check CHECK ((status = ANY (ARRAY['publish'::text, 'future'::text, 'draft'::text, 'pending'::text, 'private'::text, 'trash'::text]))),
);
CREATE INDEX venues_author_idx ON public.venues USING btree (site_id, author);
CREATE INDEX venues_geo_idx ON public.venues USING btree (site_id, geo_lat, geo_lng) WHERE (geo_lat IS NOT NULL);
CREATE INDEX venues_image_idx ON public.venues USING btree (site_id, image_id) WHERE (image_id IS NOT NULL);
CREATE INDEX venues_list_idx ON public.venues USING btree (site_id, published_at DESC, id DESC);
CREATE INDEX venues_name_idx ON public.venues USING btree (site_id, md5(name_key));
ALTER TABLE venues FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON venues USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT DELETE, INSERT, SELECT, UPDATE ON venues TO kalends_service;

CREATE TABLE vouchers (
    site_id bigint NOT NULL,
    id bytea NOT NULL,
    user_id bigint NOT NULL,
    kind text NOT NULL,
    seal text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT vouchers_user_key UNIQUE (site_id, user_id, kind, id),
    CONSTRAINT vouchers_pkey PRIMARY KEY (site_id, id),
    CONSTRAINT vouchers_user_fkey FOREIGN KEY (site_id, user_id) REFERENCES users(site_id, id) ON DELETE CASCADE,
    CONSTRAINT vouchers_kind_check CHECK ((kind = ANY (ARRAY['invitation'::text, 'reset'::text]))),
);
ALTER TABLE vouchers FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON vouchers USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT DELETE, INSERT, SELECT, UPDATE ON vouchers TO kalends_service;

CREATE TABLE webhook_deliveries (
    site_id bigint NOT NULL,
    webhook_id bigint NOT NULL,
    id bigint NOT NULL,
    message text NOT NULL,
    event text NOT NULL,
    kind text NOT NULL,
    object bigint NOT NULL,
    version bigint NOT NULL,
    changed_at timestamp with time zone NOT NULL,
    try integer NOT NULL,
    at timestamp with time zone NOT NULL,
    took bigint NOT NULL,
    request text NOT NULL,
    status integer NOT NULL,
    answer text NOT NULL,
    problem text NOT NULL,
    CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (site_id, webhook_id, id),
    CONSTRAINT webhook_deliveries_webhook_fkey FOREIGN KEY (site_id, webhook_id) REFERENCES webhooks(site_id, id) ON DELETE CASCADE,
);
CREATE INDEX webhook_deliveries_at_idx ON public.webhook_deliveries USING btree (site_id, at);
ALTER TABLE webhook_deliveries FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON webhook_deliveries USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT DELETE, INSERT, SELECT, UPDATE ON webhook_deliveries TO kalends_service;

CREATE TABLE webhook_messages (
    site_id bigint NOT NULL,
    webhook_id bigint NOT NULL,
    kind text NOT NULL,
    object bigint NOT NULL,
    message text NOT NULL,
    event text NOT NULL,
    keeps text NOT NULL DEFAULT ''::text,
    fresh boolean NOT NULL,
    leaves boolean NOT NULL,
    instead text NOT NULL DEFAULT ''::text,
    version bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    tries integer NOT NULL DEFAULT 0,
    step integer NOT NULL DEFAULT 0,
    extra integer NOT NULL DEFAULT 0,
    planned_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone NOT NULL,
    lease text NOT NULL DEFAULT ''::text,
    lease_until timestamp with time zone,
    CONSTRAINT webhook_messages_pkey PRIMARY KEY (site_id, webhook_id, kind, object),
    CONSTRAINT webhook_messages_webhook_fkey FOREIGN KEY (site_id, webhook_id) REFERENCES webhooks(site_id, id) ON DELETE CASCADE,
);
CREATE INDEX webhook_messages_due_idx ON public.webhook_messages USING btree (site_id, webhook_id, due_at) WHERE (lease_until IS NULL);
CREATE INDEX webhook_messages_lease_idx ON public.webhook_messages USING btree (site_id, webhook_id, lease_until) WHERE (lease_until IS NOT NULL);
ALTER TABLE webhook_messages FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON webhook_messages USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT DELETE, INSERT, SELECT, UPDATE ON webhook_messages TO kalends_service;

CREATE TABLE webhook_rounds (
    site_id bigint NOT NULL,
    looked bigint NOT NULL,
    due_at timestamp with time zone NOT NULL,
    tidied date NOT NULL DEFAULT '-infinity'::date,
    CONSTRAINT webhook_rounds_pkey PRIMARY KEY (site_id),
    CONSTRAINT webhook_rounds_site_fkey FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE CASCADE,
);
CREATE INDEX webhook_rounds_due_idx ON public.webhook_rounds USING btree (due_at);
GRANT DELETE, INSERT, SELECT, UPDATE ON webhook_rounds TO kalends_service;

CREATE TABLE webhooks (
    site_id bigint NOT NULL,
    id bigint NOT NULL,
    version bigint NOT NULL,
    url text NOT NULL,
    events text[] NOT NULL,
    filter jsonb,
    payload text NOT NULL,
    language text NOT NULL DEFAULT ''::text,
    home text NOT NULL,
    user_id bigint NOT NULL,
    credential_id bigint NOT NULL DEFAULT 0,
    secrets jsonb NOT NULL,
    active boolean NOT NULL DEFAULT true,
    off text NOT NULL DEFAULT ''::text,
    off_at timestamp with time zone,
    tell_at timestamp with time zone,
    seen_version bigint NOT NULL,
    seen_kind text NOT NULL DEFAULT ''::text,
    seen_id bigint NOT NULL DEFAULT 0,
    deliveries bigint NOT NULL DEFAULT 0,
    failing boolean NOT NULL DEFAULT false,
    slow boolean NOT NULL DEFAULT false,
    misses integer NOT NULL DEFAULT 0,
    paused_until timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT webhooks_pkey PRIMARY KEY (site_id, id),
    CONSTRAINT webhooks_site_fkey FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE CASCADE,
    CONSTRAINT webhooks_off_check CHECK ((off = ANY (ARRAY[''::text, 'gone'::text, 'failed'::text, 'owner'::text]))),
    CONSTRAINT webhooks_payload_check CHECK ((payload = ANY (ARRAY['thin'::text, 'full'::text]))),
);
ALTER TABLE webhooks FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON webhooks USING (site_id = ( SELECT (NULLIF(current_setting('kalends.site'::text, true), ''::text))::bigint AS "nullif"));
GRANT DELETE, INSERT, SELECT, UPDATE ON webhooks TO kalends_service;

