-- +goose Up

-- Searches read the texts of small sites as they are. Only those of sites that have had more posts than that are in the index (ADR 185):
-- it is most of what writing an event costs. Sites that are large today have all their texts in it.
ALTER TABLE sites ADD COLUMN texts_indexed boolean NOT NULL DEFAULT false; -- so are those of all events
UPDATE sites SET texts_indexed = true WHERE last_post_id > 2000;

-- Events that a node of the release before makes are indexed in every site.
-- +goose StatementBegin
DO $$
BEGIN
    IF (SELECT relkind FROM pg_class WHERE oid = 'event_texts'::regclass) = 'r' THEN
        ALTER TABLE event_texts ADD COLUMN texts_indexed boolean NOT NULL DEFAULT true; -- events inherits it
    ELSE -- on a cluster all texts are indexed
        ALTER TABLE events ADD COLUMN texts_indexed boolean NOT NULL DEFAULT true;
        UPDATE sites SET texts_indexed = true WHERE NOT texts_indexed;
        ALTER TABLE sites ALTER COLUMN texts_indexed SET DEFAULT true;
    END IF;
END
$$;
-- +goose StatementEnd
