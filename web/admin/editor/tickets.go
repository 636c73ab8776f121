package editor

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/prices"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/history"
	"github.com/kalends/kalends/web/ui"
)

// ticketRowsShown returns the rows with content, and one empty row.
func ticketRowsShown(f *frame.Form) []int { return append(ticketRows(f), blankTicket(f)) }

// ticketType is the type of the input of a ticket's field.
func ticketType(field string) string {
	switch field {
	case "available_from", "available_until":
		return "datetime-local"
	case "url":
		return "url"
	}
	return "text"
}

func ticketDirection(field string) string {
	if field == "name" {
		return field
	}
	return "website"
}

func ticketsIn(ctx context.Context, f *frame.Form) []any {
	rows := ticketRows(f)
	list := make([]any, 0, len(rows))
	for _, row := range rows {
		list = append(list, ticketIn(ctx, f, row))
	}
	return list
}

// ticketIn returns one ticket of the form. Its price may be typed like an event's: "12,50 €" becomes a number and a
// currency.
func ticketIn(ctx context.Context, f *frame.Form, row int) map[string]any {
	ticket := partIn(f, history.TicketFields, func(field string) string { return ticketName(row, field) })
	typed, _ := ticket["price"].(string)
	if number, code, ok := prices.Amount(typed, prices.CurrencyOf(ui.SiteOf(ctx))); ok {
		ticket["price"] = number
		if ticket["currency"] == nil && code != "" {
			ticket["currency"] = code
		}
	}
	return ticket
}

// checkTickets adds the problems of each ticket to its fields.
func checkTickets(ctx context.Context, f *frame.Form) error {
	for _, row := range ticketRows(f) {
		nameOf := func(field string) string { return ticketName(row, field) }
		_, err := frame.Parsed[calendar.TicketFields](ticketTable, ticketIn(ctx, f, row), args.Creating)
		if err != nil && !f.RefuseAs(ctx, err, nameOf) {
			return err
		}
	}
	return nil
}

// wrongTickets returns the fields of tickets that have a problem.
func wrongTickets(f *frame.Form) []string {
	var names []string
	for _, row := range ticketRows(f) {
		for _, field := range history.TicketFields {
			if name := ticketName(row, field); f.Problem(name) != "" {
				names = append(names, name)
			}
		}
	}
	return names
}

func ticketName(row int, field string) string {
	return "tickets[" + strconv.Itoa(row) + "][" + field + "]"
}

func fillTickets(f *frame.Form, e *calendar.Event, place *time.Location) {
	for i := range e.Tickets {
		t := &e.Tickets[i]
		texts := map[string]string{"name": t.Name, "currency": t.Currency, "url": t.URL, "status": t.Status}
		if t.Price != nil {
			texts["price"] = strconv.FormatFloat(*t.Price, 'f', -1, 64)
		}
		if t.Available != nil {
			texts["available_from"] = frame.ClockText(ui.WallAt(*t.Available, place))
		}
		if t.Until != nil {
			texts["available_until"] = frame.ClockText(ui.WallAt(*t.Until, place))
		}
		for name, text := range texts {
			f.Set(ticketName(i, name), text)
		}
	}
}

// ticketRows returns the rows that have content.
func ticketRows(f *frame.Form) []int {
	var rows []int
	for name := range f.Values {
		digits, field, _ := strings.Cut(strings.TrimPrefix(name, "tickets["), "][")
		row, err := strconv.Atoi(digits)
		field = strings.TrimSuffix(field, "]")
		known := err == nil && row >= 0 && row < mostTickets && slices.Contains(history.TicketFields, field) &&
			name == ticketName(row, field)
		if known && strings.TrimSpace(f.Get(name)) != "" {
			rows = append(rows, row)
		}
	}
	slices.Sort(rows)
	return slices.Compact(rows)
}

// blankTicket returns the number of the row for one more ticket.
func blankTicket(f *frame.Form) int {
	if rows := ticketRows(f); len(rows) > 0 {
		return rows[len(rows)-1] + 1
	}
	return 0
}

// ticketsText returns all tickets of a form as one text, for comparing forms.
func ticketsText(f *frame.Form) string {
	filled := ticketRows(f)
	rows := make([]string, 0, len(filled))
	for _, row := range filled {
		texts := make([]string, 0, len(history.TicketFields))
		for _, field := range history.TicketFields {
			texts = append(texts, strings.TrimSpace(f.Get(ticketName(row, field))))
		}
		rows = append(rows, strings.Join(texts, "\t"))
	}
	return strings.Join(rows, "\n")
}
