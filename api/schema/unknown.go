package schema

import (
	"encoding/json"
	"strings"
	"sync"
)

// Unknown returns the dotted paths that no response with this schema can have.
func Unknown(name string, paths []string) (unknown []string) {
	known := nodes()
	for _, path := range paths {
		if !known.has(known[name], strings.Split(path, ".")) {
			unknown = append(unknown, path)
		}
	}
	return unknown
}

// node is a schema as JSON.
type node struct {
	Ref        string           `json:"$ref"`
	Type       any              `json:"type"`
	Properties map[string]*node `json:"properties"`
	Named      *node            `json:"additionalProperties"`
	Items      *node            `json:"items"`
	OneOf      []*node          `json:"oneOf"`
}

// set has the schemas of both interfaces by name.
type set map[string]*node

// nodes reads the schemas on the first call.
var nodes = sync.OnceValue(func() set {
	all := set{}
	for _, list := range [][]Component{Calendar, Platform} {
		for _, one := range list {
			read := &node{}
			if err := json.Unmarshal(one.Shape.Append(nil, func(string) string { return "" }), read); err != nil {
				panic("schema: " + one.Name + ": " + err.Error()) // the shapes are part of the program
			}
			all[one.Name] = read
		}
	}
	return all
})

// has reports whether a value with the schema can have a path. Objects without described properties, and values without
// a schema, can have any path.
func (all set) has(n *node, path []string) bool {
	if n != nil && n.Ref != "" {
		n = all[n.Ref[strings.LastIndexByte(n.Ref, '/')+1:]]
	}
	switch {
	case n == nil || len(path) == 0:
		return true
	case n.Items != nil:
		return all.has(n.Items, path)
	case n.Named != nil:
		return all.has(n.Named, path[1:])
	case n.Properties != nil:
		inner, known := n.Properties[path[0]]
		return known && all.has(inner, path[1:])
	case len(n.OneOf) > 0:
		for _, one := range n.OneOf {
			if all.has(one, path) {
				return true
			}
		}
		return false
	}
	return n.Type == nil || n.Type == "object"
}
