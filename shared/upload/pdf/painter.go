package pdf

import (
	"math"

	"github.com/ledongthuc/pdf"
)

// A matrix maps points: (x, y) to (a·x + c·y + e, b·x + d·y + f).
type matrix struct{ a, b, c, d, e, f float64 }

var identity = matrix{a: 1, d: 1}

// times returns the mapping by m followed by n.
func (m matrix) times(n matrix) matrix {
	return matrix{
		m.a*n.a + m.b*n.c, m.a*n.b + m.b*n.d,
		m.c*n.a + m.d*n.c, m.c*n.b + m.d*n.d,
		m.e*n.a + m.f*n.c + n.e, m.e*n.b + m.f*n.d + n.f,
	}
}

// A run is text drawn by one operation.
type run struct {
	text       string
	start, end float64 // horizontal position
	y          float64
	size       float64 // font size on the page
	// measured is set if the font has the widths; otherwise end is estimated.
	measured bool
}

// A state is the graphics and text state (ISO 32000-1, sections 8.4 and 9.3).
type state struct {
	page               matrix
	font               *font
	size, stretch      float64
	letterGap, wordGap float64
	leading, rise      float64
	text, lineBegin    matrix
}

// maxForms limits the nesting of form XObjects.
const maxForms = 8

// maxRuns limits the runs of a page.
const maxRuns = 200_000

// A painter interprets content streams and collects their text.
type painter struct {
	runs  []run
	fonts map[string]*font // by name, of the current resources
}

// draw interprets a content stream, or an array of them, of a page or a form.
func (p *painter) draw(content, resources pdf.Value, at matrix, depth int) {
	if kind := content.Kind(); kind != pdf.Stream && kind != pdf.Array {
		return
	}
	outer := p.fonts
	p.fonts = map[string]*font{}
	defer func() { p.fonts = outer }()
	s := state{page: at, stretch: 1, text: identity, lineBegin: identity}
	var stack []state
	pdf.Interpret(content, func(stk *pdf.Stack, op string) {
		args := make([]pdf.Value, stk.Len())
		for i := len(args) - 1; i >= 0; i-- {
			args[i] = stk.Pop()
		}
		switch op {
		case "q":
			if len(stack) < 1000 {
				stack = append(stack, s)
			}
		case "Q":
			if n := len(stack); n > 0 {
				s, stack = stack[n-1], stack[:n-1]
			}
		case "Do":
			if len(args) == 1 && depth < maxForms {
				p.drawForm(resources.Key("XObject").Key(args[0].Name()), resources, s.page, depth+1)
			}
		case "Tf":
			if len(args) == 2 {
				s.font, s.size = p.font(resources, args[0].Name()), args[1].Float64()
			}
		case "Tj", "TJ", "'", "\"":
			p.show(&s, op, args)
		default:
			s.set(op, args)
		}
	})
}

// drawForm interprets a form XObject. Images are ignored.
func (p *painter) drawForm(form, resources pdf.Value, at matrix, depth int) {
	if form.Kind() != pdf.Stream || form.Key("Subtype").Name() != "Form" {
		return
	}
	if own := form.Key("Resources"); !own.IsNull() {
		resources = own
	}
	if m, ok := matrixOf(form.Key("Matrix")); ok {
		at = m.times(at)
	}
	p.draw(form, resources, at, depth)
}

func matrixOf(v pdf.Value) (matrix, bool) {
	if v.Len() != 6 {
		return matrix{}, false
	}
	n := [6]float64{}
	for i := range n {
		n[i] = v.Index(i).Float64()
	}
	return matrix{n[0], n[1], n[2], n[3], n[4], n[5]}, true
}

// set executes an operator that draws nothing.
func (s *state) set(op string, args []pdf.Value) {
	n := make([]float64, len(args))
	for i, arg := range args {
		n[i] = arg.Float64()
	}
	switch {
	case len(n) == 6:
		m := matrix{n[0], n[1], n[2], n[3], n[4], n[5]}
		switch op {
		case "cm":
			s.page = m.times(s.page)
		case "Tm":
			s.text, s.lineBegin = m, m
		}
	case op == "BT":
		s.text, s.lineBegin = identity, identity
	case op == "T*":
		s.newLine(0, -s.leading)
	case op == "Td" && len(n) == 2:
		s.newLine(n[0], n[1])
	case op == "TD" && len(n) == 2:
		s.leading = -n[1]
		s.newLine(n[0], n[1])
	case len(n) == 1:
		s.setOne(op, n[0])
	}
}

// setOne executes an operator that sets a number.
func (s *state) setOne(op string, n float64) {
	switch op {
	case "Tc":
		s.letterGap = n
	case "Tw":
		s.wordGap = n
	case "Tz":
		s.stretch = n / 100
	case "TL":
		s.leading = n
	case "Ts":
		s.rise = n
	}
}

func (s *state) newLine(x, y float64) {
	s.lineBegin = matrix{a: 1, d: 1, e: x, f: y}.times(s.lineBegin)
	s.text = s.lineBegin
}

// show executes an operator that draws text.
func (p *painter) show(s *state, op string, args []pdf.Value) {
	if len(args) == 0 {
		return
	}
	if op == "\"" && len(args) == 3 {
		s.wordGap, s.letterGap = args[0].Float64(), args[1].Float64()
	}
	if op == "'" || op == "\"" {
		s.newLine(0, -s.leading)
	}
	what := args[len(args)-1]
	if op != "TJ" {
		p.text(s, what.RawString())
		return
	}
	for i := range what.Len() {
		switch part := what.Index(i); part.Kind() {
		case pdf.String:
			p.text(s, part.RawString())
		case pdf.Integer, pdf.Real:
			s.advance(-part.Float64() / 1000 * s.size * s.stretch)
		}
	}
}

func (s *state) advance(by float64) {
	s.text = matrix{a: 1, d: 1, e: by}.times(s.text)
}

// text draws a string of character codes.
func (p *painter) text(s *state, raw string) {
	if s.font == nil || raw == "" || len(p.runs) >= maxRuns {
		return
	}
	width, letters, spaces, measured := s.font.width(raw)
	from := s.text.times(s.page)
	s.advance((width*s.size + float64(letters)*s.letterGap + float64(spaces)*s.wordGap) * s.stretch)
	to := s.text.times(s.page)
	p.runs = append(p.runs, run{
		text: s.font.decode(raw), start: from.e, end: to.e, y: from.f + s.rise,
		size: math.Abs(s.size) * math.Hypot(from.c, from.d), measured: measured,
	})
}

// font returns the font with that resource name, or nil.
func (p *painter) font(resources pdf.Value, name string) *font {
	if f, ok := p.fonts[name]; ok {
		return f
	}
	f := newFont(resources.Key("Font").Key(name))
	p.fonts[name] = f
	return f
}
