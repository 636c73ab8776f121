package frame

import (
	"net/url"
	"strings"
)

// AdminRoot is the path of the administration.
const AdminRoot = "/admin"

// Imports is the address of the page of imports.
const Imports = AdminRoot + "/import"

// Admin reports whether a path belongs to the administration.
func Admin(path string) bool { return path == AdminRoot || strings.HasPrefix(path, AdminRoot+"/") }

// ConsoleRoot is the path of the provider's console.
const ConsoleRoot = AdminRoot + "/provider"

// Console reports whether a path belongs to the provider's console, which belongs to no site.
func Console(path string) bool {
	return path == ConsoleRoot || strings.HasPrefix(path, ConsoleRoot+"/")
}

// LobbyRoot is the path of the lobby on the platform's own domain, where people with accounts on several sites sign
// in.
const LobbyRoot = AdminRoot + "/sites"

// Lobby reports whether a path belongs to the lobby, which belongs to no site.
func Lobby(path string) bool { return path == LobbyRoot || strings.HasPrefix(path, LobbyRoot+"/") }

// LoginPath returns the address of the sign-in page that continues to an address.
func LoginPath(to string) string {
	if to == AdminRoot {
		return AdminRoot + "/login"
	}
	return AdminRoot + "/login?to=" + url.QueryEscape(to)
}

// Inside returns an address if it is in the administration. Otherwise it returns the start page of the
// administration.
func Inside(to string) string {
	if path, _, _ := strings.Cut(to, "?"); Admin(path) && !strings.ContainsAny(to, "\\\r\n\t") && !strings.Contains(to, "//") &&
		path != AdminRoot+"/login" && path != AdminRoot+"/logout" {
		return to
	}
	return AdminRoot
}

// PathOf returns an address without its query.
func PathOf(address string) string {
	path, _, _ := strings.Cut(address, "?")
	return path
}
