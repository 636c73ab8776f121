package reading

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kalends/kalends/internal/args"
)

// workbookOf packs the files of a workbook. Those that it lacks are added: one table, and styles of a date, a time, both, and an
// amount.
func workbookOf(t *testing.T, files map[string]string) []byte {
	t.Helper()
	const ns = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"`
	all := map[string]string{
		"[Content_Types].xml": `<Types/>`,
		"xl/workbook.xml": `<workbook ` + ns + ` xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><workbookPr/><sheets>` +
			`<sheet name="Events" sheetId="1" r:id="rId1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Target="/xl/worksheets/sheet2.xml"/></Relationships>`,
		"xl/styles.xml": `<styleSheet ` + ns + `><numFmts><numFmt numFmtId="164" formatCode="dd\.mm\.yyyy\ hh:mm"/><numFmt numFmtId="165" formatCode="#,##0.00\ [$€-407]"/>` +
			`<numFmt numFmtId="166" formatCode="[$-407]d/\ mmmm\ yyyy;@"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>` +
			`<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="20"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/></cellXfs></styleSheet>`,
	}
	maps.Copy(all, files)
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for name, text := range all {
		file, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(file, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// sheet returns a table of rows as they stand in a workbook.
func sheet(rows ...string) string {
	return `<?xml version="1.0"?><worksheet><sheetData>` + strings.Join(rows, "") + `</sheetData></worksheet>`
}

const header = `<row r="1"><c r="A1" t="inlineStr"><is><t>Event Name</t></is></c><c r="B1" t="inlineStr"><is><t>Event Start Date</t></is></c>` +
	`<c r="C1" t="inlineStr"><is><t>Event Start Time</t></is></c><c r="D1" t="inlineStr"><is><t>Event Cost</t></is></c><c r="E1" t="inlineStr"><is><t>Feature Event</t></is></c></row>`

func TestWorkbooks(t *testing.T) {
	t.Parallel()
	const name = `<c r="A2" t="str"><v>x</v></c>`
	at := func(start string, more args.Values) args.Values {
		v := args.Values{"title": "x", "start_date": start, "end_date": start}
		if len(start) == len("2027-03-01") {
			v["all_day"] = true
		}
		maps.Copy(v, more)
		return v
	}
	for what, c := range map[string]struct {
		files map[string]string
		want  args.Values
	}{
		"a date":            {map[string]string{"xl/worksheets/sheet1.xml": sheet(header, `<row r="2">`+name+`<c r="B2" s="1"><v>46447</v></c></row>`)}, at("2027-03-01", nil)},
		"a date and a time": {map[string]string{"xl/worksheets/sheet1.xml": sheet(header, `<row r="2">`+name+`<c r="B2" s="1"><v>46447</v></c><c r="C2" s="2"><v>0.8125</v></c></row>`)}, at("2027-03-01 19:30:00", nil)},
		"both in one":       {map[string]string{"xl/worksheets/sheet1.xml": sheet(header, `<row r="2">`+name+`<c r="B2" s="3"><v>46447.8125</v></c></row>`)}, at("2027-03-01 19:30:00", nil)},
		"a long date":       {map[string]string{"xl/worksheets/sheet1.xml": sheet(header, `<row r="2">`+name+`<c r="B2" s="5"><v>46447</v></c></row>`)}, at("2027-03-01", nil)},
		"a date as text":    {map[string]string{"xl/worksheets/sheet1.xml": sheet(header, `<row r="2">`+name+`<c r="B2" t="str"><v>1. März 2027</v></c></row>`)}, at("2027-03-01", nil)},
		"an ISO date":       {map[string]string{"xl/worksheets/sheet1.xml": sheet(header, `<row r="2">`+name+`<c r="B2" t="d"><v>2027-03-01T19:30:00</v></c></row>`)}, at("2027-03-01 19:30:00", nil)},
		"an amount":         {map[string]string{"xl/worksheets/sheet1.xml": sheet(header, `<row r="2">`+name+`<c r="B2" s="1"><v>46447</v></c><c r="D2" s="4"><v>12.5</v></c></row>`)}, at("2027-03-01", args.Values{"cost": "12.5 €"})},
		"a switch":          {map[string]string{"xl/worksheets/sheet1.xml": sheet(header, `<row r="2">`+name+`<c r="B2" s="1"><v>46447</v></c><c r="E2" t="b"><v>1</v></c></row>`)}, at("2027-03-01", args.Values{"featured": "TRUE"})},
		"no names of cells": {map[string]string{"xl/worksheets/sheet1.xml": sheet(header, `<row><c t="str"><v>x</v></c><c s="1"><v>46447</v></c></row>`)}, at("2027-03-01", nil)},
		"a prefix":          {map[string]string{"xl/worksheets/sheet1.xml": `<x:worksheet xmlns:x="y"><x:sheetData>` + strings.NewReplacer("</", "</x:", "<", "<x:").Replace(header+`<row r="2">`+name+`<c r="B2" s="1"><v>46447</v></c></row>`) + `</x:sheetData></x:worksheet>`}, at("2027-03-01", nil)},
		"days since 1904": {map[string]string{"xl/workbook.xml": `<workbook><workbookPr date1904="1"/><sheets><sheet name="a" sheetId="1" r:id="rId1"/></sheets></workbook>`,
			"xl/worksheets/sheet1.xml": sheet(header, `<row r="2">`+name+`<c r="B2" s="1"><v>44985</v></c></row>`)}, at("2027-03-01", nil)},
		"the second table": {map[string]string{"xl/workbook.xml": `<workbook><sheets><sheet name="a" sheetId="1" state="hidden" r:id="rId1"/><sheet name="b" sheetId="2" r:id="rId2"/></sheets></workbook>`,
			"xl/worksheets/sheet1.xml": sheet(header), "xl/worksheets/sheet2.xml": sheet(header, `<row r="2">`+name+`<c r="B2" s="1"><v>46447</v></c></row>`)}, at("2027-03-01", nil)},
		"after an empty table": {map[string]string{"xl/workbook.xml": `<workbook><sheets><sheet name="a" sheetId="1" r:id="rId1"/><sheet name="b" sheetId="2" r:id="rId2"/></sheets></workbook>`,
			"xl/worksheets/sheet1.xml": sheet(), "xl/worksheets/sheet2.xml": sheet(header, `<row r="2">`+name+`<c r="B2" s="1"><v>46447</v></c></row>`)}, at("2027-03-01", nil)},
		"shared strings": {map[string]string{"xl/sharedStrings.xml": `<sst><si><t>no</t></si><si><r><t>x</t></r><rPh><t>spoken</t></rPh></si></sst>`,
			"xl/worksheets/sheet1.xml": sheet(header, `<row r="2"><c r="A2" t="s"><v>1</v></c><c r="B2" s="1"><v>46447</v></c></row>`)}, at("2027-03-01", nil)},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			file, err := Read(workbookOf(t, c.files), Options{Zone: zone(t, "Europe/Berlin")})
			if err != nil {
				t.Fatal(err)
			}
			for range 2 { // entries may be read again
				list := slices.Collect(file.Entries)
				if len(list) != 1 || file.Format != XLSX || list[0].Line != 2 {
					t.Fatalf("%+v", list)
				}
				if diff := cmp.Diff(c.want, list[0].Values); diff != "" {
					t.Errorf("%v %s", list[0].Problems, diff)
				}
			}
		})
	}
}

func TestUnusableWorkbooks(t *testing.T) {
	t.Parallel()
	long := `<row r="2"><c r="A2" t="str"><v>x</v></c><c r="B2" s="1"><v>46447</v></c><c r="C2" t="str"><v>` + strings.Repeat("x", MaxBytes) + `</v></c></row>`
	many := map[string]string{}
	for n := range 10_000 {
		many[strconv.Itoa(n)] = ""
	}
	for what, c := range map[string]struct {
		data []byte
		want error
	}{
		"no workbook": {workbookOf(t, map[string]string{"xl/workbook.xml": "<workbook/>"}), ErrSheet},
		"no columns":  {workbookOf(t, map[string]string{"xl/worksheets/sheet1.xml": sheet(`<row><c t="str"><v>x</v></c></row>`)}), ErrColumns},
		"a bomb":      {workbookOf(t, map[string]string{"xl/worksheets/sheet1.xml": sheet(header, long)}), ErrLarge},
		"a text in many rows": {workbookOf(t, map[string]string{"xl/sharedStrings.xml": "<sst><si><t>" + strings.Repeat("x", MaxEntry) + "</t></si></sst>",
			"xl/worksheets/sheet1.xml": sheet(header, strings.Repeat(`<row><c t="s"><v>0</v></c></row>`, MaxBytes/MaxEntry+1))}), ErrLarge},
		"attributes": {workbookOf(t, map[string]string{"xl/worksheets/sheet1.xml": sheet(header, "<row "+strings.Repeat(`a=">" `, 64<<10)+"/>")}), ErrLarge},
		"many files": {workbookOf(t, many), ErrDamaged},
		"cut XML":    {workbookOf(t, map[string]string{"xl/worksheets/sheet1.xml": sheet(header)[:200]}), ErrDamaged},
		"a cut file": {workbookOf(t, map[string]string{"xl/worksheets/sheet1.xml": sheet(header)})[:400], ErrDamaged},
		"a password": {append([]byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), "E\x00n\x00c\x00r\x00y\x00p\x00t\x00e\x00d\x00P\x00a\x00c\x00k\x00a\x00g\x00e\x00"...), ErrProtects},
		"many rows": {workbookOf(t, map[string]string{"xl/worksheets/sheet1.xml": sheet(header,
			strings.Repeat(`<row><c t="str"><v>x</v></c></row>`, MaxEntries+1))}), ErrMany},
	} {
		if _, err := Read(c.data, Options{Zone: zone(t, "UTC")}); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", what, err, c.want)
		}
	}
}

// A long text that many rows refer to costs each of them only its row.
func TestLongRowsOfWorkbooks(t *testing.T) {
	t.Parallel()
	rows := strings.Repeat(`<row><c t="s"><v>0</v></c></row>`, 10_000)
	file, err := Read(workbookOf(t, map[string]string{"xl/sharedStrings.xml": "<sst><si><t>" + strings.Repeat("x", 16<<20) + "</t></si></sst>",
		"xl/worksheets/sheet1.xml": sheet(header, rows)}), Options{Zone: zone(t, "UTC")})
	if err != nil {
		t.Fatal(err)
	}
	for e := range file.Entries {
		if len(e.Problems) == 0 || e.Problems[0].Code != "entry-long" {
			t.Fatalf("%v", e.Problems)
		}
	}
}
