-- +goose Up

-- What a protected event hides is nothing to find it by: lists that select by such
-- things look first for the few events that have a password.
CREATE INDEX events_protected_idx ON events (site_id, id) WHERE password IS NOT NULL;
