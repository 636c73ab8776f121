package chosen

import (
	"net/http"
	"slices"
	"strings"

	"github.com/kalends/kalends/calendar/editing"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/history"
)

// Changed is the page about items that someone has changed since the form's page was shown.
type Changed struct {
	*Actions
	Do, Back string
	action   string // of the form
	Done     int    // number of other items that were changed
	Seen     *frame.Seen
	items    []changedItem
	kept     []frame.Pair // of the form
}

// changedItem is one of them.
type changedItem struct {
	id   int64
	now  int64 // its current version
	name string
	what []history.Difference // changes by others; nil: unknown
}

// Ask shows the changes of the items and asks whether to continue.
func (m *Changed) Ask(v *frame.Visit, e *editing.Service, ids []int64) (*frame.Reply, error) {
	names, err := m.Names(v, ids)
	if err != nil {
		return nil, err
	}
	for _, one := range names {
		id := frame.IDIn(one.Name)
		past, err := e.Revisions(v.Ctx, m.Kind, id)
		if err != nil && !OneItem(err) {
			return nil, err
		}
		if err == nil {
			m.items = append(m.items, changedItem{id, past.Post.Version, one.Value, history.Since(v.Ctx, m.Kind, past, m.Seen.UpTo(id))})
		}
	}
	m.action = v.Path
	m.kept = slices.DeleteFunc(v.Form.Kept(), func(p frame.Pair) bool {
		return slices.Contains([]string{"id", "all", "do", "to", "step", "shown", "csrf"}, p.Name) ||
			p.Name == "sure" && m.Do == "delete" || strings.HasPrefix(p.Name, frame.SeenField)
	})
	return &frame.Reply{Status: http.StatusConflict, Title: frame.Tell(v.Ctx, "changed.title"), Section: m.Section,
		Body: changedPage(m)}, nil
}
