-- +goose Up

-- How a site writes dates in English, and by which calendar in Persian.
ALTER TABLE sites
    ADD COLUMN english  text NOT NULL DEFAULT 'american',
    ADD COLUMN calendar text NOT NULL DEFAULT 'gregorian',
    ADD CONSTRAINT sites_english_check CHECK (english IN ('american', 'british')),
    ADD CONSTRAINT sites_calendar_check CHECK (calendar IN ('gregorian', 'jalali'));
