package events

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/pg"
)

// waitingDate is a date of a series that has an id but is not stored now. It lies beyond the dates that one write
// stores, or it was removed together with many others.
type waitingDate struct {
	original time.Time
	id       int64
	dropped  bool // no rule produces it any more
}

// mark returns the id as it is stored, combined with the flag dropped.
func (d *waitingDate) mark() int64 {
	if d.dropped {
		return d.id<<1 | 1
	}
	return d.id << 1
}

const waitingOf = `
	SELECT waiting_dates
	FROM events
	WHERE site_id = $1
	  AND id = $2`

const writeWaiting = `
	UPDATE events
	SET waiting_dates = $3
	WHERE site_id = $1
	  AND id = $2`

// queueWaiting reads the dates of a series that wait.
func queueWaiting(b *pgx.Batch, site, series int64, into *[]waitingDate) {
	var packed []byte
	b.Queue(waitingOf, site, series).Query(pg.Each([]any{&packed}, func() (err error) {
		*into, err = unpackWaiting(packed)
		return err
	}))
}

// keepWaiting stores the waiting dates of a series. If there are too many, it stores the last ones.
func keepWaiting(t *content.Tx, series int64, list []waitingDate) error {
	slices.SortFunc(list, func(a, b waitingDate) int { return a.original.Compare(b.original) })
	packed, err := packWaiting(list[max(0, len(list)-calendar.MostStored):])
	if err == nil {
		t.Queue(writeWaiting, t.Site, series, packed)
	}
	return err
}

// packWaiting encodes dates as compressed differences, because the differences between the dates of a rule are
// similar. It returns nil for no dates.
func packWaiting(list []waitingDate) ([]byte, error) {
	if len(list) == 0 {
		return nil, nil
	}
	var steps []byte
	var last waitingDate
	for _, d := range list {
		steps = binary.AppendVarint(steps, d.original.Unix()-last.original.Unix())
		steps = binary.AppendVarint(steps, d.mark()-last.mark())
		last = d
	}
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestSpeed)
	if err == nil {
		_, err = w.Write(steps)
	}
	if err == nil {
		err = w.Close()
	}
	return packed.Bytes(), err
}

func unpackWaiting(packed []byte) (list []waitingDate, err error) {
	if len(packed) == 0 {
		return nil, nil
	}
	const most = calendar.MostStored * 2 * binary.MaxVarintLen64 // data from an archive may be invalid
	steps, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), most))
	if err != nil {
		return nil, err
	}
	var last waitingDate
	for len(steps) > 0 {
		step, n := binary.Varint(steps)
		mark, m := binary.Varint(steps[max(n, 0):])
		if n <= 0 || m <= 0 {
			return nil, errors.New("waiting dates: cut off")
		}
		steps = steps[n+m:]
		mark += last.mark()
		last = waitingDate{time.Unix(last.original.Unix()+step, 0).UTC(), mark >> 1, mark&1 == 1}
		list = append(list, last)
	}
	return list, nil
}
