-- +goose Up

-- Takes a person out of the history of the site that the connection has entered: what was done, and when, stays. Only this function may
-- change what the history holds, and only by leaving out names and addresses.
-- +goose StatementBegin
CREATE FUNCTION erase_person(people bigint[], sent bigint[]) RETURNS bigint
    LANGUAGE plpgsql
    VOLATILE
    SECURITY DEFINER
    SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
    site   bigint := nullif(current_setting('kalends.site', true), '')::bigint;
    erased bigint;
BEGIN
    UPDATE changes c
    SET who = CASE WHEN c.user_id = ANY(people) OR c.user_id = 0 THEN '' ELSE c.who END,
        via_name = CASE WHEN c.user_id = ANY(people) THEN '' ELSE c.via_name END,
        address = CASE WHEN c.user_id = ANY(people) OR c.user_id = 0 THEN '' ELSE c.address END,
        before = CASE WHEN c.kind IN ('user', 'credential', 'passkey', 'session') THEN c.before - ARRAY['login', 'email', 'name', 'user_agent', 'address'] ELSE c.before END
    WHERE c.site_id = site
      AND (c.user_id = ANY(people)
          OR c.kind = 'user' AND c.id = ANY(people)
          OR c.kind = 'event' AND c.id = ANY(sent) AND c.user_id = 0);
    GET DIAGNOSTICS erased = ROW_COUNT;
    RETURN erased;
END
$$;
-- +goose StatementEnd

-- +goose StatementBegin
DO $$
BEGIN
    REVOKE ALL ON FUNCTION erase_person FROM PUBLIC;
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_service') THEN
        GRANT EXECUTE ON FUNCTION erase_person TO kalends_service;
    END IF;
END
$$;
-- +goose StatementEnd
