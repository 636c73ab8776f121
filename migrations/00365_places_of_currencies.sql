-- +goose Up

-- Whether somebody has chosen where the currency symbol stands. Otherwise each page has it where its language has it, and currency_position
-- is what the API says (ADR 264).
ALTER TABLE sites ADD COLUMN currency_fixed boolean NOT NULL DEFAULT false;

-- Until now a position was chosen if it is not that of the site's language.
UPDATE sites
SET currency_fixed = true
WHERE (currency_position = 'prefix') <> (split_part(language, '-', 1) IN ('en', 'fa', 'hi', 'id', 'ja', 'ko', 'nl', 'pt', 'tr', 'zh'));
