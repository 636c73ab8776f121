-- +goose Up

-- Which sites have an account with an e-mail address, for whoever signs in to several (the lobby): one look-up by a hash, where every
-- site was asked. It is read before a site is known, so no policy guards it, and it has no address that can be read.
CREATE TABLE user_addresses (
    site_id bigint NOT NULL,
    user_id bigint NOT NULL,
    hash    bytea  NOT NULL, -- SHA-256 of the folded address
    CONSTRAINT user_addresses_pkey PRIMARY KEY (site_id, user_id),
    CONSTRAINT user_addresses_user_fkey FOREIGN KEY (site_id, user_id) REFERENCES users (site_id, id) ON DELETE CASCADE
);
CREATE INDEX user_addresses_hash_idx ON user_addresses (hash, site_id);

-- Triggers keep it, so programs of the previous release do, too. The key removes what belongs to users who are gone.
-- +goose StatementBegin
CREATE FUNCTION note_user_addresses() RETURNS trigger
    LANGUAGE plpgsql
AS $$
BEGIN
    INSERT INTO user_addresses AS a (site_id, user_id, hash)
    SELECT site_id, id, sha256(convert_to(email_key, 'UTF8'))
    FROM added
    ON CONFLICT (site_id, user_id) DO UPDATE
    SET hash = excluded.hash
    WHERE a.hash <> excluded.hash;
    RETURN NULL;
END
$$;
-- +goose StatementEnd

-- On a cluster, citus.sql makes the triggers and copies what is there: the function has to find the shard first.
-- +goose StatementBegin
DO $$
DECLARE
    distributed boolean := false;
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_service') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON user_addresses TO kalends_service;
    END IF;
    IF to_regclass('pg_dist_partition') IS NOT NULL THEN
        EXECUTE $dist$SELECT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = 'users'::regclass)$dist$ INTO distributed;
    END IF;
    IF distributed THEN
        RETURN;
    END IF;
    CREATE TRIGGER users_added AFTER INSERT ON users
        REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_user_addresses();
    CREATE TRIGGER users_changed AFTER UPDATE ON users
        REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_user_addresses();
    ALTER TABLE users NO FORCE ROW LEVEL SECURITY; -- it concerns all sites
    INSERT INTO user_addresses (site_id, user_id, hash)
    SELECT site_id, id, sha256(convert_to(email_key, 'UTF8'))
    FROM users;
    ALTER TABLE users FORCE ROW LEVEL SECURITY;
END
$$;
-- +goose StatementEnd
