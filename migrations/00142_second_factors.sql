-- +goose Up

-- Apps of users that show a code, which is asked for after the password.
CREATE TABLE second_factors (
    site_id    bigint      NOT NULL,
    user_id    bigint      NOT NULL,
    secret     bytea       NOT NULL, -- encrypted by the key of the installation
    last_step  bigint      NOT NULL, -- of the last code that was used: none is good twice
    codes      bytea[]     NOT NULL, -- SHA-256 of the recovery codes that are left
    created_at timestamptz NOT NULL,
    CONSTRAINT second_factors_pkey PRIMARY KEY (site_id, user_id),
    CONSTRAINT second_factors_user_fkey FOREIGN KEY (site_id, user_id) REFERENCES users (site_id, id) ON DELETE CASCADE
);

ALTER TABLE second_factors ENABLE ROW LEVEL SECURITY;
ALTER TABLE second_factors FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON second_factors
    USING (site_id = (SELECT nullif(current_setting('kalends.site', true), '')::bigint));

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_service') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON second_factors TO kalends_service;
    END IF;
END
$$;
-- +goose StatementEnd
