-- +goose Up

-- What pictures show, in other languages than the site's own (ADR 62): the title of each is the alternative text.
ALTER TABLE images
    ADD COLUMN translations jsonb CONSTRAINT images_translations_check CHECK (jsonb_typeof(translations) = 'object');
