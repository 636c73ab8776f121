-- +goose Up

-- The venues and organizers that somebody has said are not the same, although they may look so (ADR 259).
ALTER TABLE venues ADD COLUMN apart bigint[] NOT NULL DEFAULT '{}';
ALTER TABLE organizers ADD COLUMN apart bigint[] NOT NULL DEFAULT '{}';
