-- +goose Up

-- What each node of the service notes of itself every ten seconds: which sites keep it busy (kalends site top).
CREATE TABLE nodes (
    id   text        NOT NULL, -- made by chance when it starts
    at   timestamptz NOT NULL,
    busy jsonb       NOT NULL, -- of the last ten seconds
    CONSTRAINT nodes_pkey PRIMARY KEY (id)
);

-- When the last backup of the whole installation ended; null: never.
ALTER TABLE installation ADD COLUMN backed_up_at timestamptz;

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_service') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON nodes TO kalends_service;
        GRANT UPDATE (backed_up_at) ON installation TO kalends_service;
    END IF;
END
$$;
-- +goose StatementEnd
