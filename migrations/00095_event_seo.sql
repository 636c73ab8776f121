-- +goose Up

-- What search engines and previews of links are told of an event instead of its title and the beginning of its texts.
ALTER TABLE events
    ADD COLUMN seo_title       text NOT NULL DEFAULT '',
    ADD COLUMN seo_description text NOT NULL DEFAULT '';
