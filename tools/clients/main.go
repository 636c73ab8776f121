// Command clients makes the README's event with the client that oapi-codegen makes of
// the interface's document.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"github.com/kalends/kalends/tools/clients/client"
)

func main() {
	if err := run(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run makes the event, its venue among its fields, and its category by name.
func run(base, login, password string) error {
	c, err := client.NewClientWithResponses(base, client.WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		r.SetBasicAuth(login, password)
		return nil
	}))
	if err != nil {
		return err
	}
	hall, city := "Town hall", "Bonn"
	var venue client.VenueInput
	if err := venue.FromVenueLink(client.VenueLink{Venue: &hall, City: &city}); err != nil {
		return err
	}
	var categories client.TermInput
	if err := categories.FromTermInput2("music"); err != nil {
		return err
	}
	made, err := c.CreateEventWithResponse(context.Background(), nil, client.EventCreate{Title: "Spring concert",
		StartDate: "2027-03-20 19:30", EndDate: "2027-03-20 22:00", Venue: &venue, Categories: &categories})
	if err != nil {
		return err
	}
	if made.JSON201 == nil {
		return fmt.Errorf("%s: %s", made.Status(), made.Body)
	}
	fmt.Println("the client is content")
	return nil
}
