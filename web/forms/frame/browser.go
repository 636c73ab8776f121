package frame

import (
	"cmp"
	"context"
	"strings"
)

// browsers are the browsers searched for in user agents. Their order matters, because most user agents also mention
// other browsers.
var browsers = []string{"Firefox", "FxiOS", "Edg", "OPR", "Chrome", "CriOS", "Safari", "curl"}

// systems are the operating systems searched for in user agents.
var systems = []string{"Android", "iPhone", "iPad", "Windows", "Mac OS", "Linux"}

var betterNames = map[string]string{"FxiOS": "Firefox", "Edg": "Edge", "OPR": "Opera", "CriOS": "Chrome", "Mac OS": "macOS"}

// BrowserName returns a recognizable name for a user agent.
func BrowserName(ctx context.Context, agent string) string {
	var parts []string
	for _, names := range [][]string{browsers, systems} {
		for _, name := range names {
			if strings.Contains(agent, name) {
				parts = append(parts, cmp.Or(betterNames[name], name))
				break
			}
		}
	}
	if len(parts) == 0 {
		return Tell(ctx, "sessions.unknown")
	}
	return strings.Join(parts, ", ")
}
