package imports

import (
	"context"
	"encoding/json"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/reading"
	"github.com/kalends/kalends/calendar/services"
)

// giving returns a context in which an entry is written as given by another site. For an entry of a file it returns ctx.
func (it *item) giving(ctx context.Context) context.Context {
	said, is := it.file.Values[reading.Belongs]
	if !is {
		return ctx
	}
	text, err := json.Marshal(said)
	there := &calendar.Elsewhere{}
	if err != nil || json.Unmarshal(text, there) != nil {
		return ctx
	}
	return services.Giving(ctx, there)
}

// twice handles entries from other sites whose events this site already has from elsewhere: these events stay
// unchanged.
func (r *run) twice(ctx context.Context, list []*item, uids []string) error {
	have, err := r.store.WithUID(ctx, uids)
	if err != nil {
		return err
	}
	for _, it := range list {
		if id := have[it.UID]; id != 0 {
			it.fresh.Event = id
			it.end(Same, warning("recognised", "", ""))
		}
	}
	return nil
}
