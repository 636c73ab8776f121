-- +goose Up

-- What a site's administrators choose about its pages. The defaults are what
-- every site has been like, so that the release before can run beside this one.
ALTER TABLE sites
    ADD COLUMN languages  text[]   NOT NULL DEFAULT '{}',        -- of the public pages; none: all of them
    ADD COLUMN week_start smallint NOT NULL DEFAULT 0,           -- 1 Monday to 7 Sunday; 0: as the language does
    ADD COLUMN date_form  text     NOT NULL DEFAULT 'long',
    ADD COLUMN time_form  text     NOT NULL DEFAULT 'language',
    ADD COLUMN accent     text     NOT NULL DEFAULT '',          -- #rrggbb; '': the standard colour
    ADD CONSTRAINT sites_week_start_check CHECK (week_start BETWEEN 0 AND 7),
    ADD CONSTRAINT sites_date_form_check CHECK (date_form IN ('long', 'medium', 'short', 'iso')),
    ADD CONSTRAINT sites_time_form_check CHECK (time_form IN ('language', '12', '24')),
    ADD CONSTRAINT sites_accent_check CHECK (accent ~ '^(#[0-9a-f]{6})?$');
