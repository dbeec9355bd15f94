package upload

import (
	"archive/zip"
	"bytes"
	"compress/zlib"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write what is read of the documents in testdata")

// TestMain lets Isolated start this program to read a file.
func TestMain(m *testing.M) {
	ServeIsolated()
	os.Exit(m.Run())
}

// TestDocuments reads what other programs made.
func TestDocuments(t *testing.T) {
	for _, name := range []string{
		"chromium.pdf", "reportlab.pdf", "typst.pdf", "python-docx.docx", "pandoc.docx", "rental.html",
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join("testdata", name)
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			p, err := Isolated(t.Context(), name, data)
			if err != nil {
				t.Fatal(err)
			}
			got := "Title: " + p.Title + "\n\n" + p.Text + "\n"
			if *update {
				if err := os.WriteFile(file+".txt", []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file + ".txt")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestPlainText(t *testing.T) {
	for name, test := range map[string]struct{ data, title, text string }{
		"notes.txt":      {"Größe: 42\r\nOpen.", "", "Größe: 42\nOpen."},
		"latin.TXT":      {"Gr\xf6\xdfe 42", "", "Größe 42"},
		"prices.md":      {"# Prices\n\n- Tea **2 €**\n", "Prices", "# Prices\n\n- Tea **2 €**"},
		"page.html":      {"<title>Zoo</title><p>Open<script>no</script>", "Zoo", "Open"},
		"without-an-end": {"<!doctype html><p>Open", "", "Open"},
	} {
		p, err := Read(t.Context(), name, []byte(test.data))
		if err != nil || p.Title != test.title || p.Text != test.text {
			t.Errorf("%s is %q %q, %v", name, p.Title, p.Text, err)
		}
	}
}

// pack makes a ZIP archive of parts.
func pack(t *testing.T, parts map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, text := range parts {
		part, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := part.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func word(t *testing.T, body string) []byte {
	return pack(t, map[string]string{"word/document.xml": `<w:document><w:body>` + body + `</w:body></w:document>`})
}

// pdfOf makes a PDF document of objects, of which the first is the catalog.
func pdfOf(objects ...string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n")
	var offsets []int
	for i, object := range objects {
		offsets = append(offsets, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, offset := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&b, "trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, start)
	return b.Bytes()
}

// drawing is a PDF document of one page with that content.
func drawing(content string) []byte {
	return pdfOf("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 1/Kids[3 0 R]>>",
		"<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>", content,
		"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>")
}

func stream(text string) string {
	return fmt.Sprintf("<</Length %d>>stream\n%s\nendstream", len(text), text)
}

func TestRefused(t *testing.T) {
	read := func(name string) []byte {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	var bomb bytes.Buffer
	z, _ := zlib.NewWriterLevel(&bomb, zlib.BestSpeed)
	for range 1 << 6 {
		z.Write(bytes.Repeat([]byte("(a"), 1<<20))
	}
	z.Close()
	chromium := read("chromium.pdf")
	for _, test := range []struct {
		what, name string
		data       []byte
		want       Error
	}{
		{"an encrypted PDF", "a.pdf", read("encrypted.pdf"), encrypted},
		{"a PDF with restrictions", "a.pdf", read("restricted.pdf"), encrypted},
		{"half a PDF", "a.pdf", chromium[:len(chromium)/2], damaged},
		{"a PDF of pictures", "a.pdf", drawing(stream("0 0 1 rg 0 0 10 10 re f")), noText},
		{"a PDF in name alone", "a.pdf", []byte("hello"), damaged},
		{"a PDF whose stream is a bomb", "a.pdf", drawing(fmt.Sprintf(
			"<</Filter/FlateDecode/Length %d>>stream\n%s\nendstream", bomb.Len(), bomb.String())), tooMuch},
		{"a PDF that never ends", "a.pdf", drawing(stream("BT /F 12 Tf <41")), tooMuch},
		{"a PDF with pages in a circle", "a.pdf", pdfOf("<</Type/Catalog/Pages 2 0 R>>",
			"<</Type/Pages/Count 9/Kids[2 0 R]>>"), tooMuch},
		{"a PDF of a million pages", "a.pdf", pdfOf("<</Type/Catalog/Pages 2 0 R>>",
			"<</Type/Pages/Count 1000000/Kids[]>>"), tooLong},
		{"a DOCX with a password", "a.docx", append(oleBegins[:8:8], make([]byte, 600)...), encrypted},
		{"a DOC", "a.doc", append(oleBegins[:8:8], make([]byte, 600)...), oldWord},
		{"an archive of something else", "a.docx", pack(t, map[string]string{"a.txt": "x"}), notWord},
		{"a DOCX that is a bomb", "a.docx", word(t, strings.Repeat(" ", 64<<20)), tooLong},
		{"a DOCX of too much text", "a.docx", word(t, strings.Repeat("<w:p><w:r><w:t>word</w:t></w:r></w:p>",
			1<<19)), tooLong},
		{"a DOCX of the same paragraph again and again", "a.docx", word(t, strings.Repeat(
			"<w:p><w:r><w:t>Open</w:t></w:r></w:p>", 60_000)), tooMany},
		{"an HTML page of one line again and again", "a.html",
			[]byte(strings.Repeat("<p>We open at 9</p>\n", 60_000)), tooMany},
		{"an HTML page of too much text", "a.html",
			[]byte("<p>" + strings.Repeat("word ", 450_000)), tooLong},
		{"an HTML page nested too deep", "a.html", []byte(strings.Repeat("<div>", 1000) + "Open"),
			intricate},
		{"a DOCX nested too deep", "a.docx", word(t, strings.Repeat("<w:p>", 1000)), damaged},
		{"a DOCX with entities", "a.docx", pack(t, map[string]string{"word/document.xml": `<!DOCTYPE d [<!ENTITY a "aaaa">
			<!ENTITY b "&a;&a;">]><w:document><w:p><w:r><w:t>&b;</w:t></w:r></w:p></w:document>`}), damaged},
		{"an empty DOCX", "a.docx", word(t, "<w:p/>"), noText},
		{"an empty text", "a.txt", nil, noText},
		{"a program", "a.txt", []byte("\x7fELF\x02\x01\x01\x00\x00\x00"), intricate},
		{"a picture", "a.png", []byte("\x89PNG\r\n\x1a\n"), unknownKind},
	} {
		t.Run(test.what, func(t *testing.T) {
			t.Parallel()
			most := 6 * maxTime // with the race detector, beside others
			if test.want == tooMuch {
				most = time.Second
			}
			_, err := isolated(t.Context(), most, test.name, test.data)
			if !errors.Is(err, test.want) {
				t.Errorf("%v, want %v", err, test.want)
			}
		})
	}
}

// TestPageInAForm reads text that a page draws by the name of a form, as some printers write it.
func TestPageInAForm(t *testing.T) {
	data := pdfOf("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 1/Kids[3 0 R]>>",
		"<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</XObject<</X 5 0 R>>>>>>", stream("q /X Do Q"),
		"<</Type/XObject/Subtype/Form/Resources<</Font<</F 6 0 R>>>>/Length 41>>stream\n"+
			"BT /F 12 Tf 10 10 Td (Open on Sundays) Tj ET\nendstream",
		"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>")
	p, err := Read(t.Context(), "a.pdf", data)
	if err != nil || !strings.Contains(p.Text, "Open on Sundays") {
		t.Errorf("%q, %v", p.Text, err)
	}
}

// TestEncodings reads fonts whose codes stand for letters in the ways that PDF has.
func TestEncodings(t *testing.T) {
	for _, test := range []struct{ encoding, code, want string }{
		{"/Encoding/WinAnsiEncoding", "Caf\\351 \\200", "Café €"},
		{"/Encoding/MacRomanEncoding", "Caf\\216 \\333", "Café €"},
		{"", "Caf\\351 \\240 \\203", "Café € …"},
		{"/Encoding/StandardEncoding", "Cafe", "Cafe"},
		{"/Encoding/UniGB-UCS2-H", "\\000C\\116\\055", "C中"},
		{"/Encoding/Identity-H", "\\000C\\000a", "Ca"},
		{"/Encoding<</BaseEncoding/MacRomanEncoding/Differences[1/eacute/f_i.alt 65/Euro]>>",
			"Caf\\001 \\002 A \\216", "Café fi € é"},
		{"/Encoding<</Differences[128/uni0416/uni00D8007A/u1F600/g17/afii10017/dalethatafpatah]>>",
			"\\200\\201 \\202 e \\204 \\205 \\351", "ЖØz 😀 e А דֲ é"},
		{"/Encoding<</Differences[300/a -5/b/A 66]>>", "AB", "AB"},
	} {
		data := pdfOf("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 1/Kids[3 0 R]>>",
			"<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
			stream("BT /F 12 Tf 10 10 Td ("+test.code+") Tj ET"),
			"<</Type/Font/Subtype/Type1/BaseFont/Helvetica"+test.encoding+">>")
		p, err := Read(t.Context(), "a.pdf", data)
		if err != nil || p.Text != test.want {
			t.Errorf("%s: %q, want %q, %v", test.encoding, p.Text, test.want, err)
		}
	}
}

// TestWordsApart reads words that a page sets apart by moving on, without a space, as LaTeX does.
func TestWordsApart(t *testing.T) {
	data := pdfOf("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 1/Kids[3 0 R]>>",
		"<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
		stream("BT /F 10 Tf 72 700 Td [(W)80(e)-333(are)-333(op)-28(en)]TJ 0 -12 Td [(on)-333(Sun-)]TJ "+
			"0 -12 Td [(da)28(ys)]TJ ET"),
		"<</Type/Font/Subtype/Type1/BaseFont/CMR10/FirstChar 0/LastChar 255/Widths["+
			strings.Repeat("500 ", 256)+"]/Encoding/WinAnsiEncoding>>")
	p, err := Read(t.Context(), "a.pdf", data)
	if err != nil || p.Text != "We are open on Sundays" {
		t.Errorf("%q, %v", p.Text, err)
	}
}

func FuzzRead(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.docx")
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add(word(&testing.T{}, "<w:p><w:r><w:t>x</w:t></w:r></w:p>"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if bytes.Contains(data, pdfBegins) {
			t.Skip() // which only Isolated bounds
		}
		if p, err := Read(t.Context(), "a.docx", data); err == nil && strings.TrimSpace(p.Text) == "" {
			t.Error("no text and no error")
		}
	})
}
