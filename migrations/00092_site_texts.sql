-- +goose Up

-- What a site says of itself in other languages than its own (ADR 73).
ALTER TABLE sites
    ADD COLUMN translations jsonb CONSTRAINT sites_translations_check CHECK (jsonb_typeof(translations) = 'object');
