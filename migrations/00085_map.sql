-- +goose Up

-- Where the maps of a site's public pages come from. Empty: there are none, and no visitor's browser asks anybody else.
ALTER TABLE sites
    ADD COLUMN map_tiles  text NOT NULL DEFAULT '', -- address with {z}, {x} and {y}
    ADD COLUMN map_credit text NOT NULL DEFAULT ''; -- words | address
