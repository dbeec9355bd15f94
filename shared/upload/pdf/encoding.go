package pdf

import (
	_ "embed"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/ledongthuc/pdf"
	"golang.org/x/text/encoding/charmap"
)

// encodingOf returns the encoding of a font. A ToUnicode map takes precedence. The library's own encoders are
// not used: they search Differences again for each letter, ignore the base encoding, and fill a map of all
// glyph names at the start of every process.
func encodingOf(v pdf.Value) (encoding pdf.TextEncoding) {
	defer func() {
		if recover() != nil {
			encoding = plain{}
		}
	}()
	if m := v.Key("ToUnicode"); m.Kind() == pdf.Stream {
		if read, err := readUnicodeMap(m); err == nil && len(read.lengths) > 0 {
			return read
		}
	}
	switch e := v.Key("Encoding"); e.Kind() {
	case pdf.Name:
		return named(e.Name())
	case pdf.Dict:
		base, known := named(e.Key("BaseEncoding").Name()).(*letters)
		if !known {
			base = latin1()
		}
		base.change(e.Key("Differences"))
		return base
	case pdf.Null:
		return document()
	}
	return plain{}
}

// named returns a predefined encoding of PDF.
func named(name string) pdf.TextEncoding {
	switch {
	case name == "WinAnsiEncoding":
		return lettersOf(charmap.Windows1252)
	case name == "MacRomanEncoding":
		return lettersOf(charmap.Macintosh)
	case strings.HasPrefix(name, "Identity-"):
		return document()
	case strings.Contains(name, "-UCS2-"), strings.Contains(name, "-UTF16-"):
		return wide{}
	}
	return plain{}
}

// plain is the identity, for unknown encodings.
type plain struct{}

// Decode implements pdf.TextEncoding.
func (plain) Decode(raw string) string { return raw }

// wide is UTF-16.
type wide struct{}

// Decode implements pdf.TextEncoding.
func (wide) Decode(raw string) string { return fromUTF16(raw) }

// letters is an encoding of one-byte codes.
type letters [256]string

// Decode implements pdf.TextEncoding.
func (l *letters) Decode(raw string) string {
	var b strings.Builder
	for i := range len(raw) {
		b.WriteString(l[raw[i]])
	}
	return b.String()
}

func lettersOf(m *charmap.Charmap) *letters {
	var l letters
	for code := range l {
		l[code] = string(m.DecodeByte(byte(code)))
	}
	return &l
}

func latin1() *letters { return lettersOf(charmap.ISO8859_1) }

// document returns PDFDocEncoding, used for fonts without an encoding.
func document() *letters {
	l := latin1()
	for first, text := range map[int]string{
		0x18: "˘ˇˆ˙˝˛˚˜", 0x80: "•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž", 0xa0: "€",
	} {
		for n, letter := range []rune(text) {
			l[first+n] = string(letter)
		}
	}
	return l
}

// maxDifferences limits the entries of Differences: a number before each of 256 names.
const maxDifferences = 512

// change applies Differences, "code /name /name code /name": the glyph names from a code on. An unknown name
// leaves its code unchanged.
func (l *letters) change(differences pdf.Value) {
	code := 0
	for i := range min(differences.Len(), maxDifferences) {
		switch d := differences.Index(i); d.Kind() {
		case pdf.Integer:
			code = int(d.Int64())
		case pdf.Name:
			if text := glyph(d.Name()); text != "" && 0 <= code && code < len(l) {
				l[code] = text
			}
			code++
		}
	}
}

// glyphList is the Adobe Glyph List: lines of "name;code code".
//
//go:embed glyphlist.txt
var glyphList string

// maxName is the length limit of a glyph name, in bytes.
const maxName = 63

// glyph returns the text of a glyph name by the Adobe Glyph List specification, "" if it is unknown.
func glyph(name string) string {
	if len(name) > maxName {
		return ""
	}
	name, _, _ = strings.Cut(name, ".")
	text := ""
	for part := range strings.SplitSeq(name, "_") {
		if _, line, known := strings.Cut(glyphList, "\n"+part+";"); known {
			codes, _, _ := strings.Cut(line, "\n")
			for code := range strings.FieldsSeq(codes) {
				text += letter(code)
			}
		} else if digits, ok := strings.CutPrefix(part, "uni"); ok && len(digits)%4 == 0 {
			raw, _ := hex.DecodeString(digits)
			text += fromUTF16(string(raw))
		} else if digits, ok := strings.CutPrefix(part, "u"); ok && len(digits) >= 4 {
			text += letter(digits)
		}
	}
	return text
}

// letter returns the character with a hexadecimal code.
func letter(digits string) string {
	code, err := strconv.ParseUint(digits, 16, 21)
	if err != nil {
		return ""
	}
	return string(rune(code))
}
