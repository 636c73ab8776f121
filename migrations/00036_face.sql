-- +goose Up

-- What a site's public pages look like, and where they lead beside events. Pages of before show the first of each.
ALTER TABLE sites
    ADD COLUMN tagline      text NOT NULL DEFAULT '',
    ADD COLUMN theme        text NOT NULL DEFAULT 'plain',
    ADD COLUMN corners      text NOT NULL DEFAULT 'slight',
    ADD COLUMN font         text NOT NULL DEFAULT 'theme',
    ADD COLUMN logo         text NOT NULL DEFAULT '', -- address of a picture
    ADD COLUMN header       text NOT NULL DEFAULT '', -- address of a picture
    ADD COLUMN links        text NOT NULL DEFAULT '', -- a line each: words | address
    ADD COLUMN footer_links text NOT NULL DEFAULT '',
    ADD CONSTRAINT sites_theme_check CHECK (theme IN ('plain', 'journal', 'poster', 'board', 'night')),
    ADD CONSTRAINT sites_corners_check CHECK (corners IN ('square', 'slight', 'round')),
    ADD CONSTRAINT sites_font_check CHECK (font IN ('theme', 'sans', 'serif', 'humanist', 'slab'));
