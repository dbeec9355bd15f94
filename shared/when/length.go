package when

import "time"

// Length returns the duration in a text, "45 min" or "1 h 30"; 0 if there is none or it is longer than a
// day.
func Length(language, text string) time.Duration {
	l := lexiconOf(language)
	r := &reader{lexicon: l, text: text, words: l.tokens(text)}
	var length time.Duration
	read := 0 // the words before it are read
	for i := range r.words {
		if i < read {
			continue
		}
		if half, n := r.lengthInWords(i); n > 0 {
			length, read = length+half, i+n
			continue
		}
		count, n := r.number(i)
		if n == 0 {
			continue
		}
		if count < 1 || count > 24*60 {
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

// lengthInWords returns the length of "an hour" or "half an hour" at a word and its number of words, 0 if it
// begins none.
func (r *reader) lengthInWords(i int) (length time.Duration, words int) {
	if _, n := r.at(halfHour, i); n > 0 {
		return halfAnHour, n
	}
	if _, n := r.at(one, i); n == 0 {
		return 0, 0
	}
	if _, unit, n := r.amount(i); n > 0 && unit == hour {
		return time.Hour, n
	}
	return 0, 0
}
