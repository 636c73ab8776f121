-- +goose Up

-- Which folder or bucket has the pictures, by a mark that lies in it: a node with another one is noticed. "": no node has marked any.
ALTER TABLE installation ADD COLUMN pictures text NOT NULL DEFAULT '';

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_service') THEN
        GRANT UPDATE (pictures) ON installation TO kalends_service;
    END IF;
END
$$;
-- +goose StatementEnd
