-- +goose Up

CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- Sites and what finds them. These tables belong to the platform, not to a site.

CREATE TABLE sites (
    id                bigint      GENERATED ALWAYS AS IDENTITY,
    slug              text        NOT NULL,
    name              text        NOT NULL,
    timezone          text        NOT NULL,
    language          text        NOT NULL,
    state             text        NOT NULL DEFAULT 'active',
    per_page          integer     NOT NULL DEFAULT 15,
    currency_symbol   text        NOT NULL DEFAULT '$',
    currency_code     text        NOT NULL DEFAULT 'USD',
    currency_position text        NOT NULL DEFAULT 'prefix',
    geo               boolean     NOT NULL DEFAULT true,
    version           bigint      NOT NULL DEFAULT 0,
    links_version     bigint      NOT NULL DEFAULT 0, -- when anything events are linked to last changed
    last_post_id      bigint      NOT NULL DEFAULT 0,
    last_term_id      bigint      NOT NULL DEFAULT 0,
    last_user_id      bigint      NOT NULL DEFAULT 0,
    created_at        timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT sites_pkey PRIMARY KEY (id),
    CONSTRAINT sites_slug_key UNIQUE (slug),
    CONSTRAINT sites_slug_check CHECK (slug ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
    CONSTRAINT sites_state_check CHECK (state IN ('active', 'read_only', 'closed')),
    CONSTRAINT sites_per_page_check CHECK (per_page BETWEEN 1 AND 50),
    CONSTRAINT sites_currency_position_check CHECK (currency_position IN ('prefix', 'postfix'))
) WITH (fillfactor = 50);

CREATE TABLE domains (
    domain  text   NOT NULL,
    site_id bigint NOT NULL,
    CONSTRAINT domains_pkey PRIMARY KEY (domain),
    CONSTRAINT domains_site_fkey FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE CASCADE
);
CREATE INDEX domains_site_idx ON domains (site_id);

CREATE TABLE provider_tokens (
    id           bigint      GENERATED ALWAYS AS IDENTITY,
    name         text        NOT NULL,
    hash         bytea       NOT NULL,
    created_at   timestamptz NOT NULL DEFAULT now(),
    last_used_at timestamptz,
    CONSTRAINT provider_tokens_pkey PRIMARY KEY (id),
    CONSTRAINT provider_tokens_hash_key UNIQUE (hash)
);

-- What the nodes of an installation share: the secret that seals what they put
-- into Redis.
CREATE TABLE installation (
    one    boolean NOT NULL DEFAULT true,
    secret bytea   NOT NULL,
    CONSTRAINT installation_pkey PRIMARY KEY (one),
    CONSTRAINT installation_one_check CHECK (one)
);

-- What falls due, for every site at once: ids only, so that one query finds the
-- sites with work to do.
CREATE TABLE schedule (
    site_id bigint      NOT NULL,
    kind    text        NOT NULL,
    id      bigint      NOT NULL,
    due_at  timestamptz NOT NULL,
    CONSTRAINT schedule_pkey PRIMARY KEY (site_id, kind, id),
    CONSTRAINT schedule_site_fkey FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE CASCADE,
    CONSTRAINT schedule_kind_check CHECK (kind IN ('event', 'venue', 'organizer'))
);
CREATE INDEX schedule_due_idx ON schedule (due_at);

-- People of a site and the keys they use.

CREATE TABLE users (
    site_id       bigint      NOT NULL,
    id            bigint      NOT NULL,
    login         text        NOT NULL,
    login_key     text        NOT NULL,
    email         text        NOT NULL,
    email_key     text        NOT NULL,
    name          text        NOT NULL,
    role          text        NOT NULL,
    password_hash text        NOT NULL DEFAULT '',
    created_at    timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT users_pkey PRIMARY KEY (site_id, id),
    CONSTRAINT users_site_fkey FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE CASCADE,
    CONSTRAINT users_login_key UNIQUE (site_id, login_key),
    CONSTRAINT users_email_key UNIQUE (site_id, email_key),
    CONSTRAINT users_role_check CHECK (role IN ('administrator', 'editor', 'author', 'contributor', 'subscriber'))
);

CREATE TABLE credentials (
    site_id      bigint      NOT NULL,
    id           bigint      NOT NULL,
    user_id      bigint      NOT NULL,
    kind         text        NOT NULL,
    name         text        NOT NULL,
    hash         bytea       NOT NULL,
    read_only    boolean     NOT NULL DEFAULT false,
    created_at   timestamptz NOT NULL DEFAULT now(),
    last_used_at timestamptz,
    CONSTRAINT credentials_pkey PRIMARY KEY (site_id, id),
    CONSTRAINT credentials_user_fkey FOREIGN KEY (site_id, user_id) REFERENCES users (site_id, id) ON DELETE CASCADE,
    CONSTRAINT credentials_hash_key UNIQUE (site_id, hash),
    CONSTRAINT credentials_kind_check CHECK (kind IN ('application_password', 'api_key'))
);
CREATE INDEX credentials_user_idx ON credentials (site_id, user_id);

-- The calendar.

CREATE TABLE images (
    site_id     bigint      NOT NULL,
    id          bigint      NOT NULL,
    version     bigint      NOT NULL,
    author      bigint,
    key         text        NOT NULL,
    file        text        NOT NULL,
    mime        text        NOT NULL,
    extension   text        NOT NULL,
    width       integer     NOT NULL,
    height      integer     NOT NULL,
    bytes       bigint      NOT NULL,
    sizes       jsonb       NOT NULL DEFAULT '[]',
    alt         text        NOT NULL DEFAULT '',
    source      text        NOT NULL DEFAULT '',
    created_at  timestamptz NOT NULL,
    CONSTRAINT images_pkey PRIMARY KEY (site_id, id),
    CONSTRAINT images_site_fkey FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE CASCADE,
    CONSTRAINT images_author_fkey FOREIGN KEY (site_id, author) REFERENCES users (site_id, id) ON DELETE SET NULL (author),
    CONSTRAINT images_key_key UNIQUE (site_id, key),
    CONSTRAINT images_sizes_check CHECK (jsonb_typeof(sizes) = 'array')
);
CREATE INDEX images_source_idx ON images (site_id, md5(source)) WHERE source <> '';
CREATE INDEX images_author_idx ON images (site_id, author);

CREATE TABLE venues (
    site_id       bigint           NOT NULL,
    id            bigint           NOT NULL,
    version       bigint           NOT NULL,
    author        bigint,
    status        text             NOT NULL,
    slug          text             NOT NULL,
    published_at  timestamptz      NOT NULL,
    dated         boolean          NOT NULL,
    modified_at   timestamptz      NOT NULL,
    image_id      bigint,
    name          text             NOT NULL,
    name_key      text             NOT NULL,
    description   text             NOT NULL DEFAULT '',
    excerpt       text             NOT NULL DEFAULT '',
    address       text             NOT NULL DEFAULT '',
    city          text             NOT NULL DEFAULT '',
    country       text             NOT NULL DEFAULT '',
    province      text             NOT NULL DEFAULT '',
    state         text             NOT NULL DEFAULT '',
    stateprovince text             NOT NULL DEFAULT '',
    zip           text             NOT NULL DEFAULT '',
    phone         text             NOT NULL DEFAULT '',
    website       text             NOT NULL DEFAULT '',
    geo_lat       double precision,
    geo_lng       double precision,
    show_map      boolean          NOT NULL DEFAULT true,
    show_map_link boolean          NOT NULL DEFAULT true,
    search        text             NOT NULL,
    CONSTRAINT venues_pkey PRIMARY KEY (site_id, id),
    CONSTRAINT venues_site_fkey FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE CASCADE,
    CONSTRAINT venues_author_fkey FOREIGN KEY (site_id, author) REFERENCES users (site_id, id) ON DELETE SET NULL (author),
    CONSTRAINT venues_image_fkey FOREIGN KEY (site_id, image_id) REFERENCES images (site_id, id) ON DELETE SET NULL (image_id),
    CONSTRAINT venues_slug_key UNIQUE (site_id, slug),
    CONSTRAINT venues_status_check CHECK (status IN ('publish', 'future', 'draft', 'pending', 'private', 'trash')),
    CONSTRAINT venues_geo_check CHECK ((geo_lat IS NULL) = (geo_lng IS NULL))
);
CREATE INDEX venues_name_idx ON venues (site_id, md5(name_key));
CREATE INDEX venues_list_idx ON venues (site_id, published_at DESC, id DESC);
CREATE INDEX venues_geo_idx ON venues (site_id, geo_lat, geo_lng) WHERE geo_lat IS NOT NULL;
CREATE INDEX venues_author_idx ON venues (site_id, author);
CREATE INDEX venues_image_idx ON venues (site_id, image_id) WHERE image_id IS NOT NULL;

CREATE TABLE organizers (
    site_id      bigint      NOT NULL,
    id           bigint      NOT NULL,
    version      bigint      NOT NULL,
    author       bigint,
    status       text        NOT NULL,
    slug         text        NOT NULL,
    published_at timestamptz NOT NULL,
    dated        boolean     NOT NULL,
    modified_at  timestamptz NOT NULL,
    image_id     bigint,
    name         text        NOT NULL,
    name_key     text        NOT NULL,
    description  text        NOT NULL DEFAULT '',
    excerpt      text        NOT NULL DEFAULT '',
    phone        text        NOT NULL DEFAULT '',
    website      text        NOT NULL DEFAULT '',
    email        text        NOT NULL DEFAULT '',
    search       text        NOT NULL,
    CONSTRAINT organizers_pkey PRIMARY KEY (site_id, id),
    CONSTRAINT organizers_site_fkey FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE CASCADE,
    CONSTRAINT organizers_author_fkey FOREIGN KEY (site_id, author) REFERENCES users (site_id, id) ON DELETE SET NULL (author),
    CONSTRAINT organizers_image_fkey FOREIGN KEY (site_id, image_id) REFERENCES images (site_id, id) ON DELETE SET NULL (image_id),
    CONSTRAINT organizers_slug_key UNIQUE (site_id, slug),
    CONSTRAINT organizers_status_check CHECK (status IN ('publish', 'future', 'draft', 'pending', 'private', 'trash'))
);
CREATE INDEX organizers_name_idx ON organizers (site_id, md5(name_key));
CREATE INDEX organizers_list_idx ON organizers (site_id, published_at DESC, id DESC);
CREATE INDEX organizers_author_idx ON organizers (site_id, author);
CREATE INDEX organizers_image_idx ON organizers (site_id, image_id) WHERE image_id IS NOT NULL;

CREATE TABLE terms (
    site_id     bigint  NOT NULL,
    id          bigint  NOT NULL,
    version     bigint  NOT NULL,
    taxonomy    text    NOT NULL,
    name        text    NOT NULL,
    name_key    text    NOT NULL,
    slug        text    NOT NULL,
    description text    NOT NULL DEFAULT '',
    parent_id   bigint,
    count       integer NOT NULL DEFAULT 0,
    search      text    NOT NULL,
    CONSTRAINT terms_pkey PRIMARY KEY (site_id, id),
    CONSTRAINT terms_site_fkey FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE CASCADE,
    CONSTRAINT terms_parent_fkey FOREIGN KEY (site_id, parent_id) REFERENCES terms (site_id, id),
    CONSTRAINT terms_slug_key UNIQUE (site_id, taxonomy, slug),
    CONSTRAINT terms_taxonomy_check CHECK (taxonomy IN ('category', 'tag')),
    CONSTRAINT terms_parent_check CHECK (parent_id IS NULL OR taxonomy = 'category' AND parent_id <> id)
);
CREATE INDEX terms_name_idx ON terms (site_id, taxonomy, name_key, id);
CREATE INDEX terms_parent_idx ON terms (site_id, parent_id) WHERE parent_id IS NOT NULL;

CREATE TABLE events (
    site_id       bigint      NOT NULL,
    id            bigint      NOT NULL,
    version       bigint      NOT NULL,
    author        bigint,
    status        text        NOT NULL,
    slug          text        NOT NULL,
    published_at  timestamptz NOT NULL,
    dated         boolean     NOT NULL,
    modified_at   timestamptz NOT NULL,
    image_id      bigint,
    title         text        NOT NULL,
    description   text        NOT NULL DEFAULT '',
    excerpt       text        NOT NULL DEFAULT '',
    timezone      text        NOT NULL,
    all_day       boolean     NOT NULL DEFAULT false,
    start_local   timestamp   NOT NULL,
    end_local     timestamp   NOT NULL,
    start_utc     timestamptz NOT NULL,
    end_utc       timestamptz NOT NULL,
    cost          text[]      NOT NULL DEFAULT '{}',
    website       text        NOT NULL DEFAULT '',
    show_map      boolean     NOT NULL DEFAULT false,
    show_map_link boolean     NOT NULL DEFAULT false,
    hidden        boolean     NOT NULL DEFAULT false,
    sticky        boolean     NOT NULL DEFAULT false,
    featured      boolean     NOT NULL DEFAULT false,
    parent_id     bigint,
    password      bytea,
    tickets       jsonb,
    search        text        NOT NULL,
    venue_ids     bigint[]    NOT NULL, -- the links once more, so that lists find them in the row
    organizer_ids bigint[]    NOT NULL,
    term_ids      bigint[]    NOT NULL,
    CONSTRAINT events_pkey PRIMARY KEY (site_id, id),
    CONSTRAINT events_site_fkey FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE CASCADE,
    CONSTRAINT events_author_fkey FOREIGN KEY (site_id, author) REFERENCES users (site_id, id) ON DELETE SET NULL (author),
    CONSTRAINT events_image_fkey FOREIGN KEY (site_id, image_id) REFERENCES images (site_id, id) ON DELETE SET NULL (image_id),
    CONSTRAINT events_parent_fkey FOREIGN KEY (site_id, parent_id) REFERENCES events (site_id, id) ON DELETE SET NULL (parent_id),
    CONSTRAINT events_status_check CHECK (status IN ('publish', 'future', 'draft', 'pending', 'private', 'trash')),
    CONSTRAINT events_dates_check CHECK (end_utc >= start_utc),
    CONSTRAINT events_tickets_check CHECK (jsonb_typeof(tickets) = 'array')
);
CREATE UNIQUE INDEX events_slug_key ON events (site_id, slug) WHERE slug <> '';
CREATE INDEX events_author_idx ON events (site_id, author);
CREATE INDEX events_image_idx ON events (site_id, image_id) WHERE image_id IS NOT NULL;
CREATE INDEX events_parent_idx ON events (site_id, parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX events_status_idx ON events (site_id, status, start_local, id) WHERE status <> 'publish';
CREATE INDEX events_search_idx ON events USING gin (site_id, search gin_trgm_ops);

-- When events happen. Lists are range scans over this table; listed says
-- whether the public may see the event in them.
CREATE TABLE occurrences (
    site_id     bigint      NOT NULL,
    event_id    bigint      NOT NULL,
    n           integer     NOT NULL DEFAULT 0,
    start_local timestamp   NOT NULL,
    end_local   timestamp   NOT NULL,
    start_utc   timestamptz NOT NULL,
    end_utc     timestamptz NOT NULL,
    listed      boolean     NOT NULL,
    CONSTRAINT occurrences_pkey PRIMARY KEY (site_id, event_id, n),
    CONSTRAINT occurrences_event_fkey FOREIGN KEY (site_id, event_id) REFERENCES events (site_id, id) ON DELETE CASCADE
);
CREATE INDEX occurrences_listed_idx ON occurrences (site_id, start_local, event_id) INCLUDE (end_local) WHERE listed;
CREATE INDEX occurrences_start_idx ON occurrences (site_id, start_local, event_id) INCLUDE (end_local);
CREATE INDEX occurrences_utc_idx ON occurrences (site_id, start_utc, event_id) INCLUDE (end_utc);

CREATE TABLE event_venues (
    site_id  bigint  NOT NULL,
    event_id bigint  NOT NULL,
    venue_id bigint  NOT NULL,
    position integer NOT NULL,
    CONSTRAINT event_venues_pkey PRIMARY KEY (site_id, event_id, venue_id),
    CONSTRAINT event_venues_event_fkey FOREIGN KEY (site_id, event_id) REFERENCES events (site_id, id) ON DELETE CASCADE,
    CONSTRAINT event_venues_venue_fkey FOREIGN KEY (site_id, venue_id) REFERENCES venues (site_id, id) ON DELETE CASCADE
);
CREATE INDEX event_venues_venue_idx ON event_venues (site_id, venue_id, event_id);

CREATE TABLE event_organizers (
    site_id      bigint  NOT NULL,
    event_id     bigint  NOT NULL,
    organizer_id bigint  NOT NULL,
    position     integer NOT NULL,
    CONSTRAINT event_organizers_pkey PRIMARY KEY (site_id, event_id, organizer_id),
    CONSTRAINT event_organizers_event_fkey FOREIGN KEY (site_id, event_id) REFERENCES events (site_id, id) ON DELETE CASCADE,
    CONSTRAINT event_organizers_organizer_fkey FOREIGN KEY (site_id, organizer_id) REFERENCES organizers (site_id, id) ON DELETE CASCADE
);
CREATE INDEX event_organizers_organizer_idx ON event_organizers (site_id, organizer_id, event_id);

CREATE TABLE event_terms (
    site_id  bigint NOT NULL,
    event_id bigint NOT NULL,
    term_id  bigint NOT NULL,
    CONSTRAINT event_terms_pkey PRIMARY KEY (site_id, event_id, term_id),
    CONSTRAINT event_terms_event_fkey FOREIGN KEY (site_id, event_id) REFERENCES events (site_id, id) ON DELETE CASCADE,
    CONSTRAINT event_terms_term_fkey FOREIGN KEY (site_id, term_id) REFERENCES terms (site_id, id) ON DELETE CASCADE
);
CREATE INDEX event_terms_term_idx ON event_terms (site_id, term_id, event_id);

-- What changed, in the order it became visible: read by sync, webhooks and the
-- audit log. Nothing is ever altered here.
CREATE TABLE changes (
    site_id bigint      NOT NULL,
    version bigint      NOT NULL,
    kind    text        NOT NULL,
    id      bigint      NOT NULL,
    action  text        NOT NULL,
    user_id bigint      NOT NULL,
    at      timestamptz NOT NULL,
    CONSTRAINT changes_pkey PRIMARY KEY (site_id, version, kind, id),
    CONSTRAINT changes_site_fkey FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE CASCADE,
    CONSTRAINT changes_action_check CHECK (action IN ('create', 'update', 'trash', 'restore', 'publish', 'delete'))
);

-- The second wall between sites: without kalends.site no row is there, and a
-- plain foreign key can't reach over it because keys carry the site.

-- +goose StatementBegin
DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['users', 'credentials', 'images', 'venues', 'organizers', 'terms', 'events',
        'occurrences', 'event_venues', 'event_organizers', 'event_terms', 'changes']
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY site ON %I
            USING (site_id = (SELECT nullif(current_setting(''kalends.site'', true), '''')::bigint))', name);
    END LOOP;
END
$$;
-- +goose StatementEnd

-- The role the service works as: it reads and writes rows and nothing else. Who
-- connects with a role that may not create roles works as that role, which owns
-- the tables and is held by the forced policies too.

-- +goose StatementBegin
DO $$
BEGIN
    BEGIN
        CREATE ROLE kalends_service NOLOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE;
    EXCEPTION WHEN duplicate_object OR unique_violation OR insufficient_privilege THEN
        NULL;
    END;
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_service') THEN
        RETURN;
    END IF;
    -- From Postgres 16 on a role's maker administers it without being able to
    -- become it, so the grant is made whatever membership there is.
    BEGIN
        EXECUTE format('GRANT kalends_service TO %I', current_user);
    EXCEPTION WHEN insufficient_privilege THEN
        NULL;
    END;
    GRANT USAGE ON SCHEMA public TO kalends_service;
    GRANT SELECT, INSERT ON installation, changes TO kalends_service;
    GRANT SELECT, INSERT, UPDATE, DELETE ON sites, domains, provider_tokens, schedule, users, credentials, images,
        venues, organizers, terms, events, occurrences, event_venues, event_organizers, event_terms TO kalends_service;
END
$$;
-- +goose StatementEnd

-- Text search. Row-level security lets only leakproof conditions near an index,
-- and LIKE is none, so a policy of its own opens the texts to a role that nobody
-- is: it owns one function, which finds events by at most three patterns in the
-- site that kalends.site names. Without the right to make roles the function
-- belongs to the tables' owner and searches without the index.

CREATE FUNCTION event_search(first text, second text, third text) RETURNS SETOF bigint
    LANGUAGE sql
    STABLE
    ROWS 10
    SET search_path = public, pg_temp
AS $$
    SELECT e.id
    FROM events e
    WHERE e.site_id = nullif(current_setting('kalends.site', true), '')::bigint
      AND e.search LIKE first
      AND e.search LIKE second
      AND e.search LIKE third
$$;

-- +goose StatementBegin
DO $$
BEGIN
    BEGIN
        CREATE ROLE kalends_search NOLOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE;
    EXCEPTION WHEN duplicate_object OR unique_violation OR insufficient_privilege THEN
        NULL;
    END;
    BEGIN
        EXECUTE format('GRANT kalends_search TO %I', current_user);
        GRANT USAGE, CREATE ON SCHEMA public TO kalends_search;
        GRANT SELECT (site_id, id, search) ON events TO kalends_search;
        CREATE POLICY search ON events FOR SELECT TO kalends_search USING (true);
        ALTER FUNCTION event_search SECURITY DEFINER;
        ALTER FUNCTION event_search OWNER TO kalends_search;
        REVOKE CREATE ON SCHEMA public FROM kalends_search;
    EXCEPTION WHEN insufficient_privilege OR undefined_object THEN
        NULL;
    END;
    REVOKE ALL ON FUNCTION event_search FROM PUBLIC;
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_service') THEN
        GRANT EXECUTE ON FUNCTION event_search TO kalends_service;
    END IF;
END
$$;
-- +goose StatementEnd
