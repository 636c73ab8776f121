-- +goose Up

-- Who asks twice for a way to a new password has two, and either is good: a stranger who
-- asks for it must not take it away. The key keeps its name, by which the release before
-- calls it.
ALTER TABLE vouchers
    DROP CONSTRAINT vouchers_user_key,
    ADD CONSTRAINT vouchers_user_key UNIQUE (site_id, user_id, kind, id);
