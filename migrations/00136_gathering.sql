-- +goose Up

-- Events that sites of one installation give each other (ADR 136). A site says who may have its events: nobody, '*' for everyone, or
-- the slugs of other sites.
ALTER TABLE sites
    ADD COLUMN share    text[]  NOT NULL DEFAULT '{}',
    ADD COLUMN share_on boolean NOT NULL DEFAULT false; -- what came from a source, too

-- Of a source that is another site: which, and what its categories are called here.
ALTER TABLE sources
    ADD COLUMN giver_id bigint NOT NULL DEFAULT 0,
    ADD COLUMN mapping  jsonb;

-- Of an event that another site gives: where its page is, and which sites it came through.
ALTER TABLE events ADD COLUMN given jsonb;

-- Who gathers from whom. It has ids and versions only, and is about two sites, so no policy guards it. seen is the version of the
-- giving site that was read last.
CREATE TABLE gatherings (
    site_id   bigint NOT NULL, -- that gathers
    source_id bigint NOT NULL,
    giver_id  bigint NOT NULL,
    seen      bigint NOT NULL DEFAULT 0,
    CONSTRAINT gatherings_pkey PRIMARY KEY (site_id, source_id),
    CONSTRAINT gatherings_site_fkey FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE CASCADE
);

-- Takes what an event said out of the history of the site that the connection has entered: that it was there stays. It is for events
-- that another site gave and gives no longer.
-- +goose StatementBegin
CREATE FUNCTION erase_given(gone bigint[]) RETURNS bigint
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
      AND c.kind = 'event'
      AND c.id = ANY(gone);
    GET DIAGNOSTICS erased = ROW_COUNT;
    RETURN erased;
END
$$;
-- +goose StatementEnd

-- +goose StatementBegin
DO $$
BEGIN
    REVOKE ALL ON FUNCTION erase_given FROM PUBLIC;
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_service') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON gatherings TO kalends_service;
        GRANT EXECUTE ON FUNCTION erase_given TO kalends_service;
    END IF;
END
$$;
-- +goose StatementEnd
