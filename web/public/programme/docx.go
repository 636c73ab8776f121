package programme

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"io"
	"strings"
)

// DocumentType is the media type of Document.
const DocumentType = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

// Layout is the layout of a document.
type Layout string

// The layouts of documents.
const (
	Columns Layout = "columns" // two columns, a paragraph for each event
	Table   Layout = "table"   // a row per event, with the time in its own column
)

// Document returns the programme as an Office Open XML document (ECMA-376) on A4. The same programme results in the
// same bytes.
func (p *Programme) Document(layout Layout) ([]byte, error) {
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for _, part := range []struct{ name, text string }{
		{"[Content_Types].xml", contentTypes},
		{"_rels/.rels", relations},
		{"word/_rels/document.xml.rels", documentRelations},
		{"word/styles.xml", p.styles()},
		{"word/document.xml", p.body(layout)},
	} {
		w, err := archive.Create(part.name)
		if err == nil {
			_, err = io.WriteString(w, xml.Header+part.text)
		}
		if err != nil {
			return nil, err
		}
	}
	err := archive.Close()
	return out.Bytes(), err
}

const (
	contentTypes = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
		`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
		`<Default Extension="xml" ContentType="application/xml"/>` +
		`<Override PartName="/word/document.xml" ContentType="` + DocumentType + `.main+xml"/>` +
		`<Override PartName="/word/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/>` +
		`</Types>`
	relations = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" ` +
		`Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/>` +
		`</Relationships>`
	documentRelations = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" ` +
		`Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>`
	namespace = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"`
)

// styles defines the styles, with sizes in half points and distances in twentieths of a point. The text direction is in the
// defaults of paragraphs.
func (p *Programme) styles() string {
	direction := ""
	if p.Direction == "rtl" {
		direction = `<w:bidi/>`
	}
	tag := inXML(p.Language)
	var b strings.Builder
	b.WriteString(`<w:styles ` + namespace + `><w:docDefaults><w:rPrDefault><w:rPr><w:sz w:val="20"/><w:szCs w:val="20"/>` +
		`<w:lang w:val="` + tag + `" w:eastAsia="` + tag + `" w:bidi="` + tag + `"/>` +
		`</w:rPr></w:rPrDefault><w:pPrDefault><w:pPr>` + direction +
		`<w:spacing w:after="60"/></w:pPr></w:pPrDefault></w:docDefaults>` +
		`<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>`)
	for _, s := range []struct{ id, name, paragraph, size string }{
		{"Title", "Title", `<w:spacing w:after="60"/>`, "40"},
		{"Subtitle", "Subtitle", `<w:spacing w:after="240"/>`, "24"},
		{"Heading1", "heading 1", `<w:keepNext/><w:spacing w:before="240" w:after="60"/><w:outlineLvl w:val="0"/>`, "24"},
	} {
		b.WriteString(`<w:style w:type="paragraph" w:styleId="` + s.id + `"><w:name w:val="` + s.name + `"/>` +
			`<w:basedOn w:val="Normal"/><w:qFormat/><w:pPr>` + s.paragraph + `</w:pPr>` +
			`<w:rPr><w:b/><w:bCs/><w:sz w:val="` + s.size + `"/><w:szCs w:val="` + s.size + `"/></w:rPr></w:style>`)
	}
	b.WriteString(`</w:styles>`)
	return b.String()
}

// body returns the document: the title across the page, then a section with the days in the columns of the layout.
func (p *Programme) body(layout Layout) string {
	var b strings.Builder
	b.WriteString(`<w:document ` + namespace + `><w:body>`)
	b.WriteString(p.paragraph("Title", p.run(p.Title, false)) + p.paragraph("Subtitle", p.run(p.Period, false)))
	columns := `<w:cols w:space="425"/>`
	if layout == Columns {
		columns = `<w:cols w:num="2" w:space="425"/>`
		b.WriteString(`<w:p><w:pPr>` + page(`<w:type w:val="continuous"/>`, `<w:cols w:space="425"/>`) + `</w:pPr></w:p>`)
	}
	for _, part := range p.Parts() {
		b.WriteString(p.paragraph("Heading1", p.run(part.Name, false)))
		if layout == Table {
			b.WriteString(p.table(part.Entries))
			continue
		}
		for i := range part.Entries {
			e := &part.Entries[i]
			line := p.run(e.Time+"  ", false) + p.run(e.Title, true)
			if where := e.Where(); where != "" {
				line += p.run(" · "+where, false)
			}
			b.WriteString(p.paragraph("", line))
		}
	}
	b.WriteString(page(`<w:type w:val="continuous"/>`, columns) + `</w:body></w:document>`)
	return b.String()
}

// page returns the properties of a section on A4.
func page(kind, columns string) string {
	return `<w:sectPr>` + kind + `<w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1134" w:right="1134" w:bottom="1134" w:left="1134" ` +
		`w:header="567" w:footer="567" w:gutter="0"/>` + columns + `</w:sectPr>`
}

// table returns a table with a row for each entry.
func (p *Programme) table(entries []Entry) string {
	order := ""
	if p.Direction == "rtl" {
		order = `<w:bidiVisual/>`
	}
	var b strings.Builder
	b.WriteString(`<w:tbl><w:tblPr>` + order + `<w:tblW w:w="9638" w:type="dxa"/><w:tblLayout w:type="fixed"/></w:tblPr>` +
		`<w:tblGrid><w:gridCol w:w="2268"/><w:gridCol w:w="7370"/></w:tblGrid>`)
	for i := range entries {
		e := &entries[i]
		text := p.paragraph("", p.run(e.Title, true))
		if where := e.Where(); where != "" {
			text += p.paragraph("", p.run(where, false))
		}
		b.WriteString(`<w:tr><w:trPr><w:cantSplit/></w:trPr>` +
			`<w:tc><w:tcPr><w:tcW w:w="2268" w:type="dxa"/></w:tcPr>` + p.paragraph("", p.run(e.Time, false)) + `</w:tc>` +
			`<w:tc><w:tcPr><w:tcW w:w="7370" w:type="dxa"/></w:tcPr>` + text + `</w:tc></w:tr>`)
	}
	b.WriteString(`</w:tbl>`)
	return b.String()
}

// paragraph returns a paragraph of runs in a style. The style "" means plain text.
func (p *Programme) paragraph(style, runs string) string {
	if style != "" {
		style = `<w:pPr><w:pStyle w:val="` + style + `"/></w:pPr>`
	}
	return `<w:p>` + style + runs + `</w:p>`
}

// run returns text, bold or not, in the direction of the language.
func (p *Programme) run(text string, bold bool) string {
	properties := ""
	if bold {
		properties += `<w:b/><w:bCs/>`
	}
	if p.Direction == "rtl" {
		properties += `<w:rtl/>`
	}
	if properties != "" {
		properties = `<w:rPr>` + properties + `</w:rPr>`
	}
	return `<w:r>` + properties + `<w:t xml:space="preserve">` + inXML(text) + `</w:t></w:r>`
}

// inXML escapes a text, and replaces characters that are invalid in XML.
func inXML(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // writing to a builder cannot fail
	return b.String()
}
