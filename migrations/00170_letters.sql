-- +goose Up

-- Letters: what is on, sent to visitors by e-mail (ADR 170). A row is deleted when its owner leaves.
CREATE TABLE letter_subscriptions (
    site_id      bigint      NOT NULL,
    id           bigint      NOT NULL, -- random, so that none comes again
    email        text        NOT NULL,
    email_key    text        NOT NULL, -- by which it is known again
    language     text        NOT NULL,
    period       text        NOT NULL,
    filter       jsonb       NOT NULL DEFAULT '{}', -- which events; {}: all
    home         text        NOT NULL, -- scheme and host of links
    client       bytea,                -- digests of who asked, until it is confirmed
    network      bytea,
    created_at   timestamptz NOT NULL,
    confirmed_at timestamptz,
    expires_at   timestamptz,          -- unless it is confirmed
    issue_at     timestamptz NOT NULL, -- of the next letter; of the question until it is confirmed
    next_at      timestamptz,          -- of the next try to send it; null: nothing is sent
    tries        integer     NOT NULL DEFAULT 0, -- of this letter
    refused      integer     NOT NULL DEFAULT 0, -- letters one after the other that were refused for good
    CONSTRAINT letter_subscriptions_pkey PRIMARY KEY (site_id, id),
    CONSTRAINT letter_subscriptions_site_fkey FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE CASCADE,
    CONSTRAINT letter_subscriptions_period_check CHECK (period IN ('weekly', 'daily'))
);
CREATE INDEX letter_subscriptions_next_idx ON letter_subscriptions (site_id, next_at) WHERE next_at IS NOT NULL;
CREATE INDEX letter_subscriptions_waiting_idx ON letter_subscriptions (site_id, created_at) WHERE confirmed_at IS NULL;
CREATE INDEX letter_subscriptions_email_idx ON letter_subscriptions (site_id, email_key);

-- How many letters were sent in a month, and how many subscriptions ended.
CREATE TABLE letter_months (
    site_id bigint NOT NULL,
    month   date   NOT NULL, -- its first day
    sent    bigint NOT NULL DEFAULT 0,
    ended   bigint NOT NULL DEFAULT 0,
    last_at timestamptz, -- when the last letter was sent
    CONSTRAINT letter_months_pkey PRIMARY KEY (site_id, month),
    CONSTRAINT letter_months_site_fkey FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE CASCADE
);

-- Which sites have subscriptions, when something is to be sent, and which node does it. It is read before a site is known, so no
-- policy guards it, and it says nothing else.
CREATE TABLE letter_rounds (
    site_id     bigint      NOT NULL,
    due_at      timestamptz NOT NULL,
    lease       text        NOT NULL DEFAULT '',
    lease_until timestamptz,
    CONSTRAINT letter_rounds_pkey PRIMARY KEY (site_id),
    CONSTRAINT letter_rounds_site_fkey FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE CASCADE
);
CREATE INDEX letter_rounds_due_idx ON letter_rounds (due_at);

ALTER TABLE plans ADD COLUMN max_letters bigint;
ALTER TABLE sites ADD COLUMN mailing text NOT NULL DEFAULT 'off';
ALTER TABLE sites ADD CONSTRAINT sites_mailing_check CHECK (mailing IN ('off', 'on', 'paused'));

ALTER TABLE letter_subscriptions ENABLE ROW LEVEL SECURITY;
ALTER TABLE letter_subscriptions FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON letter_subscriptions
    USING (site_id = (SELECT nullif(current_setting('kalends.site', true), '')::bigint));
ALTER TABLE letter_months ENABLE ROW LEVEL SECURITY;
ALTER TABLE letter_months FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON letter_months
    USING (site_id = (SELECT nullif(current_setting('kalends.site', true), '')::bigint));

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_service') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON letter_subscriptions, letter_months, letter_rounds TO kalends_service;
    END IF;
END
$$;
-- +goose StatementEnd
