package editing

import (
	"context"
	"fmt"
	"slices"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// StatusBefore returns the status that an "event", "venue" or "organizer" had before it was moved to the trash, or
// Draft if that is unknown.
func (c *Service) StatusBefore(ctx context.Context, kind string, id int64) (calendar.Status, error) {
	past, err := c.Revisions(ctx, kind, id)
	if err != nil {
		return "", err
	}
	for i := range past.Events {
		if past.Events[i].Action != "trash" {
			continue
		}
		if was := statusBefore(&past.Events[i]); was != "" {
			return was, nil
		}
	}
	return calendar.Draft, nil
}

// statusBefore returns the status that an entry replaced. It returns "" if the entry did not replace a status, or
// if the status was Trash.
func statusBefore(e *tenancy.Entry) calendar.Status {
	text, _ := e.Before["status"].(string)
	if was := calendar.Status(text); slices.Contains(calendar.Statuses(), was) && was != calendar.Trash {
		return was
	}
	return ""
}

// StatusesBefore is StatusBefore for several events, without those whose status is unknown. It does not check permissions.
func (c *Service) StatusesBefore(ctx context.Context, ids []int64) (map[int64]calendar.Status, error) {
	last, err := c.store.History().Last(ctx, "event", "trash", ids)
	if err != nil {
		return nil, fmt.Errorf("status before the trash: %w", err)
	}
	before := make(map[int64]calendar.Status, len(last))
	for id, e := range last {
		if was := statusBefore(&e); was != "" {
			before[id] = was
		}
	}
	return before, nil
}
