package editing

import (
	"context"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// hideNames clears the names of venues and organizers that the principal currently may not read. It keeps names of
// deleted items, which may never have been public, only for principals who may read others' items. It keeps the
// ids, so that restoring finds the links.
func (c *Service) hideNames(ctx context.Context, p tenancy.Principal, past *Past) error {
	if p.MayRead(tenancy.ReadOthers) {
		return nil
	}
	for arg, post := range map[string]func(id int64) (*calendar.Post, error){
		"venue": func(id int64) (*calendar.Post, error) {
			v, err := c.store.Venues().Get(ctx, calendar.Key{ID: id})
			if err != nil {
				return nil, err
			}
			return &v.Post, nil
		},
		"organizer": func(id int64) (*calendar.Post, error) {
			o, err := c.store.Organizers().Get(ctx, calendar.Key{ID: id})
			if err != nil {
				return nil, err
			}
			return &o.Post, nil
		},
	} {
		if err := hideLinks(p, past.links(arg), post); err != nil {
			return err
		}
	}
	return nil
}

// links returns all links in a field throughout a history.
func (p *Past) links(arg string) []map[string]any {
	list := linksOf(p.Now[arg])
	for i := range p.Events {
		list = append(list, linksOf(p.Events[i].Before[arg])...)
		list = append(list, linksOf(p.Events[i].After[arg])...)
		list = append(list, linksOf(p.States[i][arg])...)
	}
	return list
}

func hideLinks(p tenancy.Principal, links []map[string]any, post func(id int64) (*calendar.Post, error)) error {
	shown := map[int64]bool{}
	for _, link := range links {
		number, _ := link["id"].(float64)
		id := int64(number)
		may, known := shown[id]
		if !known {
			found, err := post(id)
			if err != nil && !absent(err) {
				return err
			}
			may = err == nil && calendar.MayRead(p, found)
			shown[id] = may
		}
		if !may {
			link["name"] = ""
		}
	}
	return nil
}
