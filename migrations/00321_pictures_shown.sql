-- +goose Up

-- What pages need to know to show a picture in a frame of another shape: its dominant color, and the point that is never cut off, in percent from
-- the left and the top (ADR 310). Rows that exist keep to both checks, because the defaults do.
ALTER TABLE images
    ADD COLUMN tone text NOT NULL DEFAULT '', -- '': not known
    ADD COLUMN focus_x integer NOT NULL DEFAULT 50,
    ADD COLUMN focus_y integer NOT NULL DEFAULT 50;
ALTER TABLE images
    ADD CONSTRAINT images_tone_check CHECK (tone ~ '^(#[0-9a-f]{6})?$') NOT VALID,
    ADD CONSTRAINT images_focus_check CHECK (focus_x BETWEEN 0 AND 100 AND focus_y BETWEEN 0 AND 100) NOT VALID;
