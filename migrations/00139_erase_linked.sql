-- +goose Up

-- What another site gives no longer takes the venues, organizers and pictures along that nothing else uses: the history forgets what these
-- said, too. Posts of all kinds are numbered together, so an id says which one.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION erase_given(gone bigint[]) RETURNS bigint
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
    SET before = NULL,
        kept = NULL
    WHERE c.site_id = site
      AND c.kind IN ('event', 'venue', 'organizer', 'image')
      AND c.id = ANY(gone);
    GET DIAGNOSTICS erased = ROW_COUNT;
    RETURN erased;
END
$$;
-- +goose StatementEnd
