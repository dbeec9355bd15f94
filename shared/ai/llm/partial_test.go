package llm

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestComplete(t *testing.T) {
	for cut, want := range map[string]string{
		`{"a":1,"reply":"Yes. An`:            `{"a":1,"reply":"Yes. An"}`,
		`{"a":1,"reply":"Yes."`:              `{"a":1,"reply":"Yes."}`,
		`{"a":1,"reply":"Yes.","s":[1,2`:     `{"a":1,"reply":"Yes.","s":[1,2]}`,
		`{"a":1,"reply":"Yes.","s":[`:        `{"a":1,"reply":"Yes.","s":[]}`,
		`{"a":1,"reply":"Yes.","sou`:         `{"a":1,"reply":"Yes."}`,
		`{"a":1,"reply":"Yes.","sources":`:   `{"a":1,"reply":"Yes."}`,
		`{"a":1,"reply":"Say \"hi\`:          `{"a":1,"reply":"Say \"hi"}`,
		`{"a":1,"reply":"Say \\`:             `{"a":1,"reply":"Say \\"}`,
		`{"a":1,"reply":"caf\u00e`:           `{"a":1,"reply":"caf"}`,
		`{"a":1,"reply":"caf\u00e9`:          `{"a":1,"reply":"caf\u00e9"}`,
		`{"a":1,"reply":"smile \ud83d`:       `{"a":1,"reply":"smile "}`,
		`{"a":1,"reply":"smile \ud83d\ude`:   `{"a":1,"reply":"smile "}`,
		`{"a":1,"reply":"smile \ud83d\ude00`: `{"a":1,"reply":"smile \ud83d\ude00"}`,
		`{"a":1,"reply":"a, b: {[`:           `{"a":1,"reply":"a, b: {["}`,
		`{"a":1`:                             `{"a":1}`,
	} {
		if got := complete(cut); got != want {
			t.Errorf("%s becomes %s, want %s", cut, got, want)
		}
	}
}

// FuzzComplete cuts objects of JSON at any place, and expects one that says nothing else.
func FuzzComplete(f *testing.F) {
	f.Add("respond", "Yes, \"dogs\" are \\ welcome 😀\u2028. {[,]}", 33)
	f.Fuzz(func(t *testing.T, action, reply string, at int) {
		whole, err := json.Marshal(map[string]any{"action": action, "b": []any{1, map[string]any{"c": "d"}},
			"reply": reply})
		if err != nil {
			t.Skip()
		}
		at = max(0, min(at, len(whole)))
		if !utf8.Valid(whole[:at]) {
			t.Skip() // services send whole characters
		}
		cut := complete(string(whole[:at]))
		var was, is struct{ Action, Reply string }
		json.Unmarshal(whole, &was)
		if err := json.Unmarshal([]byte(cut), &is); err != nil {
			if at > strings.Index(string(whole), `,"b"`)+1 && at > 1 {
				t.Fatalf("%s becomes %s: %v", whole[:at], cut, err)
			}
			return
		}
		if !strings.HasPrefix(was.Action, is.Action) || !strings.HasPrefix(was.Reply, is.Reply) {
			t.Errorf("%s becomes %s", whole[:at], cut)
		}
	})
}

func TestWholeSentences(t *testing.T) {
	for s, want := range map[string]string{
		"Yes. No.":                        "Yes. No.",
		"Yes. And Sun":                    "Yes.",
		"It costs 3.":                     "",
		"It is open. It costs 3.":         "It is open.",
		"We open at 9":                    "",
		"Really? \"Yes!\"":                "Really? \"Yes!\"",
		"はい。でも":                           "はい。",
		"Our rooms:\n- One.\n- Two.\n- T": "Our rooms:\n- One.\n- Two.",
		"Hours:":                          "",
		"":                                "",
	} {
		if got := wholeSentences(s); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}
