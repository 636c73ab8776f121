// Issuer is an OpenID Connect provider for tests: the example server of zitadel/oidc, which the OpenID Foundation has certified, on this
// machine alone. It prints its address, and ends with its standard input.
package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"

	"github.com/zitadel/oidc/v3/example/server/exampleop"
	"github.com/zitadel/oidc/v3/example/server/storage"
	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"
)

// people says of everybody in which groups they are, too.
type people struct{ *storage.Storage }

// SetUserinfoFromRequest fills an ID token.
func (p people) SetUserinfoFromRequest(ctx context.Context, info *oidc.UserInfo, token op.IDTokenRequest, scopes []string) error {
	info.AppendClaims("groups", []string{"staff"})
	return p.Storage.SetUserinfoFromRequest(ctx, info, token, scopes)
}

// SetUserinfoFromToken answers whoever has a token.
func (p people) SetUserinfoFromToken(ctx context.Context, info *oidc.UserInfo, token, subject, origin string) error {
	info.AppendClaims("groups", []string{"staff"})
	return p.Storage.SetUserinfoFromToken(ctx, info, token, subject, origin)
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: issuer REDIRECT")
		os.Exit(2)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	issuer := fmt.Sprintf("http://%s/", listener.Addr())
	storage.RegisterClients(storage.WebClient("kalends", "a secret", os.Args[1]))
	handler := exampleop.SetupServer(issuer, people{storage.NewStorage(storage.NewUserStore(issuer))}, slog.New(slog.DiscardHandler), false)
	fmt.Println(issuer)
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	if err := http.Serve(listener, handler); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}
