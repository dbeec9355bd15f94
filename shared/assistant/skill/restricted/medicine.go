package restricted

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/concept"
	"frontdesk/shared/text"
)

// Beginnings of words that name a topic of medicine, in the languages that agents speak, letters folded.
var ofMedicine = []string{
	"medi", "medikament", "arznei", "dosier", "dosis", "dosage", "dose", "posolog", "prescri",
	"diagnos", "farmac", "pharma", "farmak", "drug", "lakemed", "laake", "gyogyszer", "ilac",
	"лекарств", "медиц", "диагно", "доз", "ادوي", "دواء", "طبي",
}

// Names of medicines have the same stems in all languages, as the World Health Organization gives them for
// their groups; beside them stand names that are said without one. Letters are folded.
var (
	medicineEndings = []string{
		"profen", "profene", "profeno", "profeen", "cillin", "cilline", "cillina", "cilina",
		"mycin", "mycine", "micina", "cyclin", "cycline", "ciclina", "azepam", "azolam", "prazol",
		"prazole", "statin", "statine", "statina", "sartan", "olol", "dipin", "dipine", "codon",
		"codone", "thyroxin", "oxacin",
	}
	medicineBeginnings = []string{
		"paracetamol", "acetaminophen", "aspirin", "ibuprof", "antibioti", "cortiso", "kortiso",
		"insulin", "tylenol", "advil", "nurofen", "doliprane", "dafalgan", "efferalgan",
		"novalgin", "metamizol", "nolotil", "diclofenac", "diklofenak", "voltaren", "naproxen",
		"tramadol", "morphin", "morfin", "codein", "kodein", "tachipirin", "alvedon",
		"panodil", "burana", "xanax", "valium", "ritalin", "antidepres", "парацетамол",
		"ибупрофен", "аспирин", "антибиотик", "باراسيتامول", "ايبوبروفين", "اسبرين",
	}
)

// keepsToMedicine reports whether one of the business's restricted topics is of medicine.
func keepsToMedicine(s *skill.State) bool {
	return slices.ContainsFunc(text.Tokens(s.Language(), s.Agent.RestrictedTopics), func(t text.Token) bool {
		return begins(folded(s.Agent.RestrictedTopics, t), ofMedicine)
	})
}

// namesMedicine reports whether the message names a medicine, or speaks of medicines. To ask for a
// prescription is not to ask for advice.
func namesMedicine(s *skill.State) bool {
	named := concept.Names(s.Tongue(), s.Text)
	if slices.Contains(named, "repeatprescription") && !slices.Contains(named, "prescription") {
		return true
	}
	return slices.ContainsFunc(s.Reading.Tokens, func(t text.Token) bool {
		word := folded(s.Text, t)
		return begins(word, medicineBeginnings) || slices.ContainsFunc(medicineEndings, func(e string) bool {
			return len(word) > len(e)+1 && strings.HasSuffix(word, e)
		})
	})
}

// folded is the token as it is written, in lower case and without accents.
func folded(message string, t text.Token) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFD.String(message[t.Start:t.End]))
}

func begins(word string, beginnings []string) bool {
	return slices.ContainsFunc(beginnings, func(b string) bool { return strings.HasPrefix(word, b) })
}
