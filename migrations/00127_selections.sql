-- +goose Up

-- What followers of changes are told from. A selection is what one kind of reader sees of one type of object under one filter;
-- its log says which objects were in it at which version of the site.
CREATE TABLE selections (
    site_id  bigint      NOT NULL,
    key      uuid        NOT NULL, -- digest of type, reader and filter
    kind     text        NOT NULL, -- of the objects, as in changes
    looked   bigint      NOT NULL, -- version of the site up to which the log is complete; -1: nobody has looked yet
    kept     bigint      NOT NULL DEFAULT 0, -- version from which on the log is complete
    followed boolean     NOT NULL DEFAULT false, -- somebody has come back to it
    asked_at timestamptz NOT NULL,
    tidied   date        NOT NULL DEFAULT '-infinity', -- day on which old entries of the log were last removed
    CONSTRAINT selections_pkey PRIMARY KEY (site_id, key),
    CONSTRAINT selections_site_fkey FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE CASCADE
);

CREATE TABLE selected_objects (
    site_id bigint      NOT NULL,
    key     uuid        NOT NULL,
    id      bigint      NOT NULL, -- of a series for all of its dates
    came    bigint      NOT NULL, -- version at which it came into the selection
    changed bigint      NOT NULL, -- version of its last change in the selection
    went    bigint,               -- version at which it left; null: it is there
    at      timestamptz NOT NULL, -- of the last of these
    CONSTRAINT selected_objects_pkey PRIMARY KEY (site_id, key, id, came),
    CONSTRAINT selected_objects_selection_fkey FOREIGN KEY (site_id, key) REFERENCES selections (site_id, key) ON DELETE CASCADE
);
CREATE INDEX selected_objects_changed_idx ON selected_objects (site_id, key, changed, id) WHERE went IS NULL;
CREATE INDEX selected_objects_went_idx ON selected_objects (site_id, key, went, id) WHERE went IS NOT NULL;

ALTER TABLE selections ENABLE ROW LEVEL SECURITY;
ALTER TABLE selections FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON selections
    USING (site_id = (SELECT nullif(current_setting('kalends.site', true), '')::bigint));
ALTER TABLE selected_objects ENABLE ROW LEVEL SECURITY;
ALTER TABLE selected_objects FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON selected_objects
    USING (site_id = (SELECT nullif(current_setting('kalends.site', true), '')::bigint));

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_service') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON selections TO kalends_service;
        GRANT SELECT, INSERT, UPDATE, DELETE ON selected_objects TO kalends_service;
    END IF;
END
$$;
-- +goose StatementEnd
