package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

// foreign are names that the source links to a zone of another country.
var foreign = map[string]string{"Atlantic/Jan_Mayen": "SJ", "Africa/Timbuktu": "ML"}

// countries returns the zones of each country, one country a line: those in zone.tab, which the tz project releases
// together with its source, and their other names in the source.
func countries(source, table string) ([]byte, error) {
	of := map[string]string{} // zone → country
	err := eachLine(table, func(fields []string) {
		if len(fields) >= 3 && !strings.HasPrefix(fields[0], "#") {
			of[fields[2]] = fields[0]
		}
	})
	if err != nil {
		return nil, err
	}
	links := map[string]string{} // another name → zone
	err = eachLine(source, func(fields []string) {
		if len(fields) == 3 && fields[0] == "L" {
			links[fields[2]] = fields[1]
		}
	})
	if err != nil {
		return nil, err
	}
	maps.Copy(of, foreign)
	for name, zone := range links {
		if of[name] == "" && of[zone] != "" {
			of[name] = of[zone]
		}
	}
	in := map[string][]string{}
	for zone, country := range of {
		in[country] = append(in[country], zone)
	}
	var lines []string
	for country, zones := range in {
		slices.Sort(zones)
		lines = append(lines, country+" "+strings.Join(zones, " ")+"\n")
	}
	slices.Sort(lines)
	return []byte(strings.Join(lines, "")), nil
}

// eachLine calls do with the fields of each line of a file.
func eachLine(path string, do func(fields []string)) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("countries: %w", err)
	}
	for line := range strings.Lines(string(data)) {
		do(strings.Fields(line))
	}
	return nil
}
