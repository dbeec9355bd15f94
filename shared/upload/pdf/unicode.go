package pdf

import (
	"encoding/hex"
	"io"
	"strings"
	"unicode/utf16"

	"github.com/ledongthuc/pdf"
)

// A unicodeMap is a font's ToUnicode map.
type unicodeMap struct {
	text    map[string]string // by the bytes of a code
	lengths []int             // of codes, in bytes, ascending
}

// maxCodes limits the codes of a map to the number of two-byte codes.
const maxCodes = 1 << 16

// maxMap is how many bytes of a map are read.
const maxMap = 4 << 20

// readUnicodeMap reads a ToUnicode stream. It uses only the sections bfchar and bfrange.
func readUnicodeMap(stream pdf.Value) (*unicodeMap, error) {
	data, err := io.ReadAll(io.LimitReader(stream.Reader(), maxMap))
	if err != nil && len(data) == 0 {
		return nil, err
	}
	m := &unicodeMap{text: map[string]string{}}
	rest := string(data)
	for {
		_, after, found := strings.Cut(rest, "beginbf")
		if !found {
			break
		}
		var section string
		section, rest, _ = strings.Cut(after, "endbf")
		if ranges, ok := strings.CutPrefix(section, "range"); ok {
			m.readRanges(ranges)
		} else {
			codes := hexStrings(section)
			for i := 0; i+1 < len(codes); i += 2 {
				m.add(codes[i], codes[i+1])
			}
		}
	}
	for length := 1; length <= 4; length++ {
		for code := range m.text {
			if len(code) == length {
				m.lengths = append(m.lengths, length)
				break
			}
		}
	}
	return m, nil
}

// readRanges reads "<from> <to> <text>" and "<from> <to> [<text> <text>]".
func (m *unicodeMap) readRanges(section string) {
	for section != "" {
		plain, after, _ := strings.Cut(section, "[")
		codes := hexStrings(plain)
		for ; len(codes) >= 3; codes = codes[3:] {
			m.addRange(codes[0], codes[1], codes[2:3], true)
		}
		list, rest, _ := strings.Cut(after, "]")
		if len(codes) == 2 {
			m.addRange(codes[0], codes[1], hexStrings(list), false)
		}
		section = rest
	}
}

// hexStrings returns the decoded strings between < and >.
func hexStrings(s string) []string {
	var all []string
	for {
		_, after, found := strings.Cut(s, "<")
		if !found {
			return all
		}
		digits, rest, _ := strings.Cut(after, ">")
		s = rest
		digits = strings.Join(strings.Fields(digits), "")
		if len(digits)%2 == 1 {
			digits += "0"
		}
		raw, err := hex.DecodeString(digits)
		if err != nil {
			return all
		}
		all = append(all, string(raw))
	}
}

func (m *unicodeMap) add(code, text string) {
	if len(m.text) < maxCodes && code != "" {
		m.text[code] = fromUTF16(text)
	}
}

// addRange adds the codes from one to another, which stand for the texts. With goOn the last text is
// incremented for each further code.
func (m *unicodeMap) addRange(from, to string, texts []string, goOn bool) {
	if len(from) != len(to) || from == "" || len(from) > 4 || len(texts) == 0 {
		return
	}
	next := []byte(texts[len(texts)-1])
	for n := 0; from <= to && n < maxCodes; n++ {
		switch {
		case goOn:
			m.add(from, string(next))
			increment(next)
		case n < len(texts):
			m.add(from, texts[n])
		}
		code := []byte(from)
		if !increment(code) {
			return
		}
		from = string(code)
	}
}

// increment adds one to a big-endian number. It returns false on overflow.
func increment(n []byte) bool {
	for i := len(n) - 1; i >= 0; i-- {
		if n[i]++; n[i] != 0 {
			return true
		}
	}
	return false
}

// Decode implements pdf.TextEncoding. Unknown codes are dropped.
func (m *unicodeMap) Decode(raw string) string {
	var b strings.Builder
	for raw != "" {
		step := m.lengths[len(m.lengths)-1]
		for _, length := range m.lengths {
			if length <= len(raw) {
				if text, ok := m.text[raw[:length]]; ok {
					b.WriteString(text)
					step = length
					break
				}
			}
		}
		raw = raw[min(step, len(raw)):]
	}
	return b.String()
}

func fromUTF16(raw string) string {
	units := make([]uint16, len(raw)/2)
	for i := range units {
		units[i] = uint16(raw[2*i])<<8 | uint16(raw[2*i+1])
	}
	if len(raw) == 1 {
		return raw
	}
	return string(utf16.Decode(units))
}
