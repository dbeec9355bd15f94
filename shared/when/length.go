package when

import "time"

// Length returns the duration in a text, "45 min" or "1 h 30"; 0 if there is none or it is longer than a
// day.
func Length(language, text string) time.Duration {
	l := lexiconOf(language)
	r := &reader{lexicon: l, text: text, words: l.tokens(text)}
	var length time.Duration
	for i := range r.words {
		count, n := r.number(i)
		if n == 0 || count < 1 || count > 24*60 {
			continue
		}
		_, hours := r.at(hour, i+n)
		_, minutes := r.at(minute, i+n)
		switch {
		case minutes > 0:
			length += time.Duration(count) * time.Minute
		case hours > 0 || r.is(i+n, "h"):
			length += time.Duration(count) * time.Hour
			if r.digits(i+n+1) == 2 && r.words[i+n+1].number < 60 { // 1 h 30
				if _, again := r.at(minute, i+n+2); again == 0 {
					length += time.Duration(r.words[i+n+1].number) * time.Minute
				}
			}
		}
	}
	if length > 24*time.Hour {
		return 0
	}
	return length
}
