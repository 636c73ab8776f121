package kit

import (
	"hash/fnv"
	"os"
	"strings"
)

// walkShare is which part of the requests that are much alike a long walk sends: one in so many.
const walkShare = 4

// Walks reports whether a long walk sends one of many requests that are much alike. It sends one in four of them, the
// same ones on every run, or each of them with WALK=all. The request is named by what tells it from the others.
func Walks(request ...string) bool {
	if os.Getenv("WALK") == "all" {
		return true
	}
	sum := fnv.New32a()
	sum.Write([]byte(strings.Join(request, "\n")))
	return sum.Sum32()%walkShare == 0
}
