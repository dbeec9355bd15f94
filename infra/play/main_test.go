package main

import (
	"bytes"
	"strings"
	"testing"
)

// TestPlay plays every channel with its buttons.
func TestPlay(t *testing.T) {
	script := []string{
		"Where can I park?", "I want to book an appointment", "#2", "messenger Can I pay by card?",
		"instagram", "Where can I park?", "sms I want to book an appointment", "1",
		"email Can I pay by card?", "Where can I park?", "#1", "quit", "never read",
	}
	var out bytes.Buffer
	in := strings.NewReader(strings.Join(script, "\n"))
	if err := run(t.Context(), "../../template.yaml", t.TempDir(), "127.0.0.1:0", in, &out); err != nil {
		t.Fatal(err)
	}
	_, talk, _ := strings.Cut(out.String(), "quit ends it.\n")
	const services = "  What is it for? We offer:\n  1. Hair cut\n  2. Colour\n"
	const want = "whatsapp>   You can park behind the house.\n" +
		"whatsapp> " + services + "  [#1 Hair cut]\n  [#2 Colour]\n" +
		"whatsapp>   Which day and time would suit?\n" +
		"whatsapp>   Yes, we take all cards.\nmessenger> instagram>   You can park behind the house.\n" +
		"instagram> " + services +
		"sms>   Which day and time would suit?\nsms>   Yes, we take all cards.\n" +
		"email>   You can park behind the house.\nemail> the last reply has 0 buttons\nemail> \n"
	if talk != want {
		t.Errorf("got\n%s\nwant\n%s", talk, want)
	}
}
