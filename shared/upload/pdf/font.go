package pdf

import (
	"strings"

	"github.com/ledongthuc/pdf"
)

// guessedWidth is the width of a letter without a known width, relative to the font size.
const guessedWidth = 0.5

// A font converts codes to text and has their widths.
type font struct {
	encoding pdf.TextEncoding
	wide     bool // two-byte codes
	widths   map[int]float64
	usual    float64 // default width; 0 if unknown
}

func newFont(v pdf.Value) *font {
	if v.Kind() != pdf.Dict {
		return nil
	}
	f := &font{encoding: encodingOf(v), widths: map[int]float64{}}
	if v.Key("Subtype").Name() == "Type0" {
		f.wide = true
		f.readComposite(v.Key("DescendantFonts").Index(0))
		return f
	}
	first, widths := int(v.Key("FirstChar").Int64()), v.Key("Widths")
	for i := range min(widths.Len(), 256) {
		f.widths[first+i] = widths.Index(i).Float64() / 1000
	}
	if v.Key("Subtype").Name() == "Type3" { // Type 3 fonts have units of their own
		if m, ok := matrixOf(v.Key("FontMatrix")); ok {
			for code := range f.widths {
				f.widths[code] *= 1000 * m.a
			}
		}
	}
	return f
}

// readComposite reads the widths of a font with two-byte codes: "first [w w w]" and "first last w".
func (f *font) readComposite(v pdf.Value) {
	f.usual = 1
	if w := v.Key("DW"); !w.IsNull() {
		f.usual = w.Float64() / 1000
	}
	list := v.Key("W")
	for i := 0; i+1 < list.Len(); {
		first := int(list.Index(i).Int64())
		if next := list.Index(i + 1); next.Kind() == pdf.Array {
			for n := range min(next.Len(), 1<<16) {
				f.widths[first+n] = next.Index(n).Float64() / 1000
			}
			i += 2
			continue
		}
		last, w := int(list.Index(i+1).Int64()), list.Index(i+2).Float64()/1000
		for code := first; code <= min(last, 1<<16); code++ {
			f.widths[code] = w
		}
		i += 3
	}
}

// width returns the width of a text at size 1, its numbers of letters and spaces, and whether all widths are
// known.
func (f *font) width(raw string) (width float64, letters, spaces int, measured bool) {
	step := 1
	if f.wide {
		step = 2
	}
	measured = true
	for i := 0; i+step <= len(raw); i += step {
		code := int(raw[i])
		if f.wide {
			code = code<<8 | int(raw[i+1])
		} else if code == ' ' {
			spaces++
		}
		letters++
		w, known := f.widths[code]
		switch {
		case known:
			width += w
		case f.usual > 0:
			width += f.usual
		default:
			width += guessedWidth
			measured = false
		}
	}
	return width, letters, spaces, measured
}

// ligatures replaces ligatures by their letters, and removes invisible characters.
var ligatures = strings.NewReplacer("ﬀ", "ff", "ﬁ", "fi", "ﬂ", "fl", "ﬃ", "ffi", "ﬄ", "ffl",
	"ﬅ", "st", "ﬆ", "st", "\u00a0", " ", "\u00ad", "", "\x00", "")

func (f *font) decode(raw string) (text string) {
	defer func() {
		if recover() != nil {
			text = ""
		}
	}()
	return ligatures.Replace(f.encoding.Decode(raw))
}
