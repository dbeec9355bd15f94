package builtin

import (
	"strings"

	"frontdesk/shared/ai"
	"frontdesk/shared/language"
)

// voiceOf returns the engine's own sentences for the agent's language and tone; English for a language
// without any.
func voiceOf(tag, tone string) *language.Voice {
	return language.Of(tag).Voice(tone == "formal" || tone == "professional")
}

// canned returns what to say on an occasion without a question: the business's own words, or else the
// engine's.
func canned(r ai.Request, intent string) string {
	v := voiceOf(r.Language, r.Tone)
	switch intent {
	case Greeting:
		if r.Canned.Greeting != "" {
			return r.Canned.Greeting
		}
		greeting := v.Greeting
		if name := strings.TrimSpace(r.BusinessName); name != "" {
			greeting = strings.Replace(v.Welcome, "%s", name, 1)
		}
		return addressed(greeting, r.Known["name"])
	case Goodbye:
		return either(r.Canned.Goodbye, v.Goodbye)
	case Thanks:
		return v.Thanks
	case Human:
		return either(r.Canned.Handoff, v.Handoff)
	case Complaint:
		if strings.TrimSpace(r.Canned.Handoff) == "" {
			return v.Complaint
		}
		sorry := v.Complaint[:strings.IndexByte(v.Complaint, '.')+1]
		return strings.TrimSpace(sorry + " " + r.Canned.Handoff)
	}
	return either(r.Canned.Fallback, v.Fallback)
}

// addressed returns a greeting with a name added to its first sentence, or to the word before its first
// mark.
func addressed(greeting, name string) string {
	end := strings.IndexAny(greeting, "!.,?")
	if name == "" || end < 0 {
		return greeting
	}
	return strings.TrimRight(greeting[:end], " ") + ", " + name + greeting[end:]
}

func either(own, other string) string {
	if strings.TrimSpace(own) != "" {
		return own
	}
	return other
}
