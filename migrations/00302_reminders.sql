-- +goose Up

-- Visitors can be reminded by e-mail on the day before events that they have kept (ADR 302).
ALTER TABLE letter_subscriptions
    DROP CONSTRAINT letter_subscriptions_period_check,
    ADD CONSTRAINT letter_subscriptions_period_check CHECK (period IN ('weekly', 'daily', 'day_before'));
