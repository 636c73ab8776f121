-- +goose Up

-- The history of a site. What changed, when and through whom was there already;
-- now also from where, and what the write replaced: of an update the fields that
-- differed, of a deletion everything. A creation replaces nothing.
ALTER TABLE changes
    ADD COLUMN n        bigint NOT NULL DEFAULT 0,  -- tells apart what has no version of its own: sign-ins
    ADD COLUMN who      text   NOT NULL DEFAULT '', -- login at the time, name of the provider's token
    ADD COLUMN via      text   NOT NULL DEFAULT '', -- session, application_password, api_key, import, command, provider, schedule
    ADD COLUMN via_name text   NOT NULL DEFAULT '', -- of the credential
    ADD COLUMN address  text   NOT NULL DEFAULT '', -- of the client
    ADD COLUMN before   jsonb,
    DROP CONSTRAINT changes_action_check,
    ADD CONSTRAINT changes_action_check CHECK (action IN ('create', 'update', 'trash', 'restore', 'publish', 'delete',
        'sign_in', 'sign_in_failed')),
    ADD CONSTRAINT changes_before_check CHECK (jsonb_typeof(before) = 'object'),
    DROP CONSTRAINT changes_pkey,
    ADD CONSTRAINT changes_pkey PRIMARY KEY (site_id, version, kind, id, n);

-- The revisions of one object. Creations stay out: they are most of what there
-- is, they are found by the primary key, and so they cost no second index.
CREATE INDEX changes_object_idx ON changes (site_id, kind, id, version) WHERE action <> 'create';

-- What the provider did to the installation. It names sites by id and by slug and
-- outlives them.
CREATE TABLE provider_changes (
    id       bigint      NOT NULL GENERATED ALWAYS AS IDENTITY,
    at       timestamptz NOT NULL,
    kind     text        NOT NULL,
    action   text        NOT NULL,
    object   bigint      NOT NULL,            -- id of the site or token
    name     text        NOT NULL,            -- its slug or name at the time
    who      text        NOT NULL DEFAULT '', -- name of the provider's token
    via      text        NOT NULL DEFAULT '',
    address  text        NOT NULL DEFAULT '',
    before   jsonb,
    after    jsonb,
    CONSTRAINT provider_changes_pkey PRIMARY KEY (id),
    CONSTRAINT provider_changes_before_check CHECK (jsonb_typeof(before) = 'object'),
    CONSTRAINT provider_changes_after_check CHECK (jsonb_typeof(after) = 'object')
);
CREATE INDEX provider_changes_object_idx ON provider_changes (kind, object, id);

-- What somebody is typing into a form, kept for them until they save it: 0 is the
-- id of what is new.
CREATE TABLE drafts (
    site_id bigint      NOT NULL,
    user_id bigint      NOT NULL,
    kind    text        NOT NULL,
    id      bigint      NOT NULL,
    form    jsonb       NOT NULL,
    base    bigint      NOT NULL, -- version of the object when the form was opened
    at      timestamptz NOT NULL,
    CONSTRAINT drafts_pkey PRIMARY KEY (site_id, user_id, kind, id),
    CONSTRAINT drafts_user_fkey FOREIGN KEY (site_id, user_id) REFERENCES users (site_id, id) ON DELETE CASCADE,
    CONSTRAINT drafts_form_check CHECK (jsonb_typeof(form) = 'object' AND pg_column_size(form) <= 2000000)
);

ALTER TABLE drafts ENABLE ROW LEVEL SECURITY;
ALTER TABLE drafts FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON drafts
    USING (site_id = (SELECT nullif(current_setting('kalends.site', true), '')::bigint));

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_service') THEN
        GRANT SELECT, INSERT ON provider_changes TO kalends_service;
        GRANT SELECT, INSERT, UPDATE, DELETE ON drafts TO kalends_service;
    END IF;
END
$$;
-- +goose StatementEnd
