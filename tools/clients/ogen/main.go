// Command ogen makes the README's event and reads it again with the client that ogen
// makes of the interface's document. That client checks whatever comes back.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/ogen-go/ogen/ogenerrors"

	"github.com/kalends/kalends/tools/clients/ogen/client"
)

func main() {
	if err := run(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// login is whom the client signs in as.
type login client.Basic

// Basic returns the name and the password.
func (l login) Basic(context.Context, client.OperationName) (client.Basic, error) {
	return client.Basic(l), nil
}

// Bearer has no token, for the name and the password are enough.
func (login) Bearer(context.Context, client.OperationName) (client.Bearer, error) {
	return client.Bearer{}, ogenerrors.ErrSkipClientSecurity
}

// run makes the event, its venue among its fields, and its category by name.
func run(base, name, password string) error {
	c, err := client.NewClient(base, login{Username: name, Password: password})
	if err != nil {
		return err
	}
	ctx := context.Background()
	venue := client.VenueLink{Venue: client.NewOptString("Town hall"), City: client.NewOptNilString("Bonn")}
	made, err := c.CreateEvent(ctx, &client.EventCreate{Title: "Spring concert",
		StartDate: "2027-03-20 19:30", EndDate: "2027-03-20 22:00",
		Venue:      client.NewOptVenueInput(client.NewVenueLinkVenueInput(venue)),
		Categories: client.NewOptTermInput(client.NewStringTermInput("music")),
	}, client.CreateEventParams{})
	if err != nil {
		return err
	}
	again, err := c.GetEvent(ctx, client.GetEventParams{ID: made.Response.ID})
	if err != nil {
		return err
	}
	if read, ok := again.(*client.GetEventBySlugOKHeaders); !ok || read.Response.Slug != made.Response.Slug {
		return fmt.Errorf("read again: %+v", again)
	}
	fmt.Println("the client is content")
	return nil
}
