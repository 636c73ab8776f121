package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/storage/storagetest"
)

// proxy is a Caddy in front of a node.
type proxy struct {
	t    testing.TB
	addr string
	root string // certificate of its authority
}

// newProxy starts Caddy with deploy/Caddyfile. What is another: the port, where
// it keeps things, and that it signs certificates itself.
func newProxy(t testing.TB, program, upstream, domain string) *proxy {
	t.Helper()
	c := exec.Command(program, "adapt", "--config", "../../deploy/Caddyfile")
	c.Env = append(os.Environ(), "KALENDS_UPSTREAM="+upstream, "KALENDS_PLATFORM_DOMAIN="+domain)
	text, err := c.Output()
	var config map[string]any
	if err = errors.Join(err, json.Unmarshal(text, &config)); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	p := &proxy{t, storagetest.Address(t), filepath.Join(dir, "pki", "authorities", "local", "root.crt")}
	config["admin"] = map[string]any{"disabled": true}
	config["storage"] = map[string]any{"module": "file_system", "root": dir}
	apps := config["apps"].(map[string]any)
	apps["pki"] = map[string]any{"certificate_authorities": map[string]any{"local": map[string]any{"install_trust": false}}}
	server := node(apps).at("http", "servers", "srv0").(map[string]any)
	server["listen"] = []string{p.addr}
	server["automatic_https"] = map[string]any{"disable_redirects": true}
	_, port, _ := net.SplitHostPort(p.addr)
	apps["http"].(map[string]any)["https_port"] = json.Number(port)
	for _, policy := range node(apps).at("tls", "automation", "policies").([]any) {
		policy.(map[string]any)["issuers"] = []any{map[string]any{"module": "internal"}}
	}
	text, err = json.Marshal(config)
	file := filepath.Join(dir, "caddy.json")
	if err = errors.Join(err, os.WriteFile(file, text, 0o600)); err != nil {
		t.Fatal(err)
	}
	run := exec.Command(program, "run", "--config", file)
	run.Env = append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir)
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = run.Process.Kill()
		_ = run.Wait()
	})
	until(t, "Caddy", func() bool {
		conn, err := net.Dial("tcp", p.addr)
		if err == nil {
			_ = conn.Close()
		}
		return err == nil
	})
	return p
}

// get asks for a path of a host, and believes Caddy's own authority alone.
func (p *proxy) get(host, path string) (int, string, error) {
	p.t.Helper()
	text, err := os.ReadFile(p.root)
	if err != nil {
		p.t.Fatal(err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(text) {
		p.t.Fatal("Caddy has no authority")
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots},
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, p.addr)
		}}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport, Timeout: 30 * time.Second}
	res, err := client.Get("https://" + host + path)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	return res.StatusCode, string(body), err
}

// TestBehindCaddy runs a node behind the Caddy of deploy/Caddyfile: hosts of sites
// get a certificate when they are first asked for, all others none. It needs
// Caddy on the machine.
func TestBehindCaddy(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("caddy")
	if err != nil {
		t.Skip("there is no caddy on this machine; install it to have deploy/Caddyfile tried")
	}
	const domain = "calendars.test"
	database := storagetest.Database(t)
	terminal := newTerminal(t, database)
	terminal.env["KALENDS_PLATFORM_DOMAIN"] = domain
	var made map[string]any
	terminal.must(&made, "site", "create", "club", "--name=The Club", "--domain=own.example")
	terminal.must(&made, "site", "create", "closed", "--name=Closed", "--domain=closed.example")
	terminal.must(&made, "site", "close", "closed")
	terminal.must(&made, "site", "domain", "add", "club", "claimed.example") // and never proved
	s := launchWith(t, dataDir(t), []string{"DATABASE_URL=" + database, "KALENDS_PLATFORM_DOMAIN=" + domain,
		"KALENDS_TRUSTED_PROXIES=127.0.0.1"}).started()
	p := newProxy(t, program, s.addr, domain)
	until(t, "a healthy upstream", func() bool {
		status, _, err := p.get("own.example", "/calendar/events/v1/events")
		return err == nil && status == http.StatusOK
	})
	for _, host := range []string{"own.example", "club." + domain} {
		status, body, err := p.get(host, "/calendar/events/v1/events")
		if err != nil || status != http.StatusOK || !strings.Contains(body, `"https://`+host+`/`) {
			t.Errorf("%s: %d, %v: its links are not those of the host by https: %.300s", host, status, err, body)
		}
		for _, inner := range []string{"/readyz", "/healthz", "/platform/v1/domains/ask?domain=own.example"} {
			if status, body, err := p.get(host, inner); err != nil || status != http.StatusNotFound || body != "" {
				t.Errorf("%s%s is shown to everybody: %d %q, %v", host, inner, status, body, err)
			}
		}
	}
	for _, host := range []string{"claimed.example", "closed.example", "stranger.example", "nobody." + domain} {
		status, _, err := p.get(host, "/calendar/events/v1/events")
		var refused *net.OpError
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), "tls:") {
			t.Errorf("%s got a certificate: %d, %v", host, status, err)
		}
	}
}
