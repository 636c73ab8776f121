-- The tables of the peers, filled with the same rows. "plain" is what a list and
-- an event need, normalised, with the indexes that serve them best; "bare" is
-- what inserts write, with keys and the indexes lists need, but no foreign keys.

CREATE SCHEMA plain;

CREATE TABLE plain.sites AS SELECT id, slug, timezone FROM sites;
ALTER TABLE plain.sites ADD PRIMARY KEY (id);

CREATE TABLE plain.venues AS
SELECT site_id, id, author, status, published_at, modified_at, slug, name, description, address, city, country, zip, phone, website,
       geo_lat, geo_lng, show_map, show_map_link
FROM venues ORDER BY site_id, id;
ALTER TABLE plain.venues ADD PRIMARY KEY (site_id, id);

CREATE TABLE plain.organizers AS
SELECT site_id, id, author, status, published_at, modified_at, slug, name, description, phone, website, email
FROM organizers ORDER BY site_id, id;
ALTER TABLE plain.organizers ADD PRIMARY KEY (site_id, id);

CREATE TABLE plain.terms AS
SELECT site_id, id, taxonomy, name, name_key, slug, description, parent_id, count
FROM terms ORDER BY site_id, id;
ALTER TABLE plain.terms ADD PRIMARY KEY (site_id, id);

CREATE TABLE plain.events AS
SELECT e.site_id, e.id, e.author, e.status, e.published_at, e.modified_at, e.slug, e.title, e.description, e.excerpt, e.timezone,
       e.all_day, e.start_local, e.end_local, e.start_utc, e.end_utc, e.cost, e.website, e.show_map, e.show_map_link, e.hidden,
       e.sticky, e.featured, x.venue_id, e.search, e.organizer_ids, e.term_ids
FROM events e LEFT JOIN event_venues x ON x.site_id = e.site_id AND x.event_id = e.id AND x.position = 1
ORDER BY e.site_id, e.id;
ALTER TABLE plain.events ADD PRIMARY KEY (site_id, id);
CREATE SEQUENCE plain.event_ids START 10000000 CACHE 32;
CREATE INDEX ON plain.events (site_id, start_local, id) INCLUDE (end_local) WHERE status = 'publish' AND NOT hidden;

CREATE TABLE plain.event_organizers AS
SELECT site_id, event_id, organizer_id, position FROM event_organizers ORDER BY site_id, event_id, organizer_id;
ALTER TABLE plain.event_organizers ADD PRIMARY KEY (site_id, event_id, organizer_id);
CREATE INDEX ON plain.event_organizers (site_id, organizer_id, event_id);

CREATE TABLE plain.event_terms AS
SELECT site_id, event_id, term_id FROM event_terms ORDER BY site_id, event_id, term_id;
ALTER TABLE plain.event_terms ADD PRIMARY KEY (site_id, event_id, term_id);
CREATE INDEX ON plain.event_terms (site_id, term_id, event_id);

CREATE SCHEMA bare;

CREATE TABLE bare.events (LIKE public.events INCLUDING DEFAULTS, PRIMARY KEY (site_id, id));

CREATE TABLE bare.occurrences (LIKE public.occurrences INCLUDING DEFAULTS INCLUDING GENERATED, PRIMARY KEY (site_id, event_id, n));
CREATE INDEX ON bare.occurrences (site_id, start_local, event_id) INCLUDE (end_local) WHERE listed;

CREATE TABLE bare.event_venues (LIKE public.event_venues, PRIMARY KEY (site_id, event_id, venue_id));
CREATE INDEX ON bare.event_venues (site_id, venue_id, event_id);

CREATE TABLE bare.event_organizers (LIKE public.event_organizers, PRIMARY KEY (site_id, event_id, organizer_id));
CREATE INDEX ON bare.event_organizers (site_id, organizer_id, event_id);

CREATE TABLE bare.event_terms (LIKE public.event_terms, PRIMARY KEY (site_id, event_id, term_id));
CREATE INDEX ON bare.event_terms (site_id, term_id, event_id);
