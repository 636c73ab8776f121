-- +goose Up

-- Webhooks: where a site tells other programs of its changes. A webhook follows the history of the site (ADR 137).
CREATE TABLE webhooks (
    site_id       bigint      NOT NULL,
    id            bigint      NOT NULL, -- version of the site that brought it
    version       bigint      NOT NULL, -- of the site at its last change
    url           text        NOT NULL,
    events        text[]      NOT NULL,
    filter        jsonb,                -- arguments of a list of events; null: all events
    payload       text        NOT NULL,
    language      text        NOT NULL DEFAULT '', -- of objects; '': that of the site
    home          text        NOT NULL, -- scheme and host by which it was made
    user_id       bigint      NOT NULL, -- who made it
    credential_id bigint      NOT NULL DEFAULT 0,  -- with which key; 0: with none
    secrets       jsonb       NOT NULL, -- what signs, encrypted
    active        boolean     NOT NULL DEFAULT true,
    off           text        NOT NULL DEFAULT '', -- why it was switched off by itself
    off_at        timestamptz,                     -- since when it is not active
    tell_at       timestamptz,                     -- when the administrators are to be told that
    seen_version  bigint      NOT NULL, -- place in the history up to which it was followed
    seen_kind     text        NOT NULL DEFAULT '',
    seen_id       bigint      NOT NULL DEFAULT 0,
    deliveries    bigint      NOT NULL DEFAULT 0,  -- number of the last one
    failing       boolean     NOT NULL DEFAULT false, -- the last try failed
    slow          boolean     NOT NULL DEFAULT false, -- it took long
    misses        integer     NOT NULL DEFAULT 0,  -- how often the receiver asked to slow down, one after the other
    paused_until  timestamptz,                     -- the receiver asked for it
    created_at    timestamptz NOT NULL,
    CONSTRAINT webhooks_pkey PRIMARY KEY (site_id, id),
    CONSTRAINT webhooks_site_fkey FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE CASCADE,
    CONSTRAINT webhooks_payload_check CHECK (payload IN ('thin', 'full')),
    CONSTRAINT webhooks_off_check CHECK (off IN ('', 'gone', 'failed', 'owner'))
);

-- What waits to be sent: of each object the newest change.
CREATE TABLE webhook_messages (
    site_id      bigint      NOT NULL,
    webhook_id   bigint      NOT NULL,
    kind         text        NOT NULL, -- as in changes; 'test' and 'submission', too
    object       bigint      NOT NULL,
    message      text        NOT NULL, -- its name, the same at every try
    event        text        NOT NULL, -- what happened last
    keeps        text        NOT NULL DEFAULT '', -- what the receiver is told instead, as it was not told of that yet
    fresh        boolean     NOT NULL, -- the receiver knows nothing of the object
    leaves       boolean     NOT NULL, -- the object is gone for the receiver
    instead      text        NOT NULL DEFAULT '', -- what is told of an object that is no longer public and that the receiver does not know
    version      bigint      NOT NULL,
    at           timestamptz NOT NULL,
    tries        integer     NOT NULL DEFAULT 0,
    step         integer     NOT NULL DEFAULT 0, -- how many of the planned tries failed
    extra        integer     NOT NULL DEFAULT 0, -- how often it was brought forward
    planned_at   timestamptz NOT NULL, -- of the next planned try
    due_at       timestamptz NOT NULL, -- of the next try
    lease        text        NOT NULL DEFAULT '',
    lease_until  timestamptz, -- a node is sending it
    CONSTRAINT webhook_messages_pkey PRIMARY KEY (site_id, webhook_id, kind, object),
    CONSTRAINT webhook_messages_webhook_fkey FOREIGN KEY (site_id, webhook_id) REFERENCES webhooks (site_id, id) ON DELETE CASCADE
);
CREATE INDEX webhook_messages_due_idx ON webhook_messages (site_id, webhook_id, due_at) WHERE lease_until IS NULL;
CREATE INDEX webhook_messages_lease_idx ON webhook_messages (site_id, webhook_id, lease_until) WHERE lease_until IS NOT NULL;

-- The tries of the last thirty days.
CREATE TABLE webhook_deliveries (
    site_id    bigint      NOT NULL,
    webhook_id bigint      NOT NULL,
    id         bigint      NOT NULL,
    message    text        NOT NULL,
    event      text        NOT NULL,
    kind       text        NOT NULL,
    object     bigint      NOT NULL,
    version    bigint      NOT NULL,
    changed_at timestamptz NOT NULL,
    try        integer     NOT NULL,
    at         timestamptz NOT NULL,
    took       bigint      NOT NULL, -- milliseconds
    request    text        NOT NULL, -- what was sent, without the object
    status     integer     NOT NULL, -- of the answer; 0: there was none
    answer     text        NOT NULL, -- how it began
    problem    text        NOT NULL, -- why there was none
    CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (site_id, webhook_id, id),
    CONSTRAINT webhook_deliveries_webhook_fkey FOREIGN KEY (site_id, webhook_id) REFERENCES webhooks (site_id, id) ON DELETE CASCADE
);
CREATE INDEX webhook_deliveries_at_idx ON webhook_deliveries (site_id, at);

-- Which sites have webhooks, and when something is to be done. It is read before a site is known, so no policy guards it, and it
-- says nothing else.
CREATE TABLE webhook_rounds (
    site_id bigint      NOT NULL,
    looked  bigint      NOT NULL, -- version of the site up to which all webhooks followed
    due_at  timestamptz NOT NULL,
    tidied  date        NOT NULL DEFAULT '-infinity', -- day on which old deliveries were last removed
    CONSTRAINT webhook_rounds_pkey PRIMARY KEY (site_id),
    CONSTRAINT webhook_rounds_site_fkey FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE CASCADE
);
CREATE INDEX webhook_rounds_due_idx ON webhook_rounds (due_at);

ALTER TABLE plans ADD COLUMN max_webhooks bigint;

ALTER TABLE webhooks ENABLE ROW LEVEL SECURITY;
ALTER TABLE webhooks FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON webhooks
    USING (site_id = (SELECT nullif(current_setting('kalends.site', true), '')::bigint));
ALTER TABLE webhook_messages ENABLE ROW LEVEL SECURITY;
ALTER TABLE webhook_messages FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON webhook_messages
    USING (site_id = (SELECT nullif(current_setting('kalends.site', true), '')::bigint));
ALTER TABLE webhook_deliveries ENABLE ROW LEVEL SECURITY;
ALTER TABLE webhook_deliveries FORCE ROW LEVEL SECURITY;
CREATE POLICY site ON webhook_deliveries
    USING (site_id = (SELECT nullif(current_setting('kalends.site', true), '')::bigint));

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'kalends_service') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON webhooks, webhook_messages, webhook_deliveries, webhook_rounds TO kalends_service;
    END IF;
END
$$;
-- +goose StatementEnd
