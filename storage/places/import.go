package places

import (
	"context"
	"crypto/md5" //nolint:gosec // the index over names is one of md5
	"encoding/hex"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/pg"
)

// Import finds or creates the venues or organizers that an import names. Expect collects their IDs and names, and Queue looks
// all of them up in one batch.
type Import[T any] struct {
	kind   *Kind[T]
	byID   map[int64]T
	byName map[string][]*T // existing ones and those just created
	ids    []int64         // to look up
	names  []string        // the same names, hashed as in the index
	asked  map[string]bool // names that are looked up
}

// NewImport returns an Import that knows no venues or organizers yet.
func NewImport[T any](k *Kind[T]) *Import[T] {
	return &Import[T]{kind: k, byID: map[int64]T{}, byName: map[string][]*T{}, asked: map[string]bool{}}
}

// Expect collects the IDs and names of links for Queue.
func (i *Import[T]) Expect(t *content.Tx, links *[]calendar.Link[T]) {
	if links == nil {
		return
	}
	i.ids = append(i.ids, linkedIDs(*links)...)
	for _, link := range *links {
		if link.New == nil {
			continue
		}
		if key := strings.ToLower(*i.kind.words(link.New).name); !i.asked[key] {
			i.asked[key] = true
			sum := md5.Sum([]byte(key)) //nolint:gosec // as the index
			i.names = append(i.names, hex.EncodeToString(sum[:]))
			t.Slugs.Expect(i.kind.name, i.kind.post(link.New).Slug)
		}
	}
}

const placesNamedAny = `
	SELECT {record}
	FROM {place}s p
	LEFT JOIN images i ON i.site_id = p.site_id AND i.id = p.image_id
	WHERE p.site_id = $1
	  AND md5(p.name_key) = ANY($2)
	ORDER BY p.id`

// Queue looks up the collected IDs and names.
func (i *Import[T]) Queue(t *content.Tx, b *pgx.Batch) {
	i.kind.lookUp(t, b, i.ids, i.byID)
	if len(i.names) > 0 {
		b.Queue(i.kind.namedAny, t.Site, i.names).Query(content.ReadRecords(func(f *pg.Fields) {
			item := i.kind.Decode(f)
			i.keep(&item)
		}))
	}
}

func (i *Import[T]) keep(item *T) {
	key := strings.ToLower(*i.kind.words(item).name)
	i.byName[key] = append(i.byName[key], item)
}

// Settle is Kind.Settle for an import: it searches only the items that Queue has found or that the import has
// created.
func (i *Import[T]) Settle(ctx context.Context, t *content.Tx, links []calendar.Link[T]) ([]T, error) {
	return i.kind.settle(ctx, t, links, i.byID, func(ctx context.Context, t *content.Tx, link calendar.Link[T]) (*T, bool, error) {
		if found := i.find(link); found != nil {
			return found, false, nil
		}
		item, row, err := i.kind.enter(ctx, t, link)
		if err != nil {
			return nil, false, err
		}
		t.Queue(i.kind.insert, row...)
		i.keep(item)
		return item, true, nil
	})
}

// Copy is Settle for one item of another site, with the given id unless that is 0. It returns the id and slug that it has here, and the
// slug that it had there.
func (i *Import[T]) Copy(ctx context.Context, t *content.Tx, link calendar.Link[T], id int64) (here int64, slug, had string, err error) {
	fresh := *link.New
	post := i.kind.post(&fresh)
	post.ID, had = id, post.Slug
	made, err := i.Settle(ctx, t, []calendar.Link[T]{{New: &fresh, Same: link.Same}})
	if err != nil {
		return 0, "", "", err
	}
	stored := i.kind.post(&made[0])
	return stored.ID, stored.Slug, had, nil
}

// find returns the first item with the link's name that link.Same accepts, or nil.
func (i *Import[T]) find(link calendar.Link[T]) *T {
	if link.Same == nil {
		return nil
	}
	for _, one := range i.byName[strings.ToLower(*i.kind.words(link.New).name)] {
		if link.Same(one) {
			return one
		}
	}
	return nil
}
