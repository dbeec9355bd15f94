package booking

type speech struct{ language, come, about string }

var speeches = []speech{
	{"en", "come in, come by, come, pop in, drop in, drop by, stop by, pop by, fit me in, squeeze me in, see me, be there, get in, do me, book me in, swing by", "book, for, after, time, day, someone, need"},
	{"de", "kommen, komme, komm, vorbeikommen, vorbei kommen, vorbeischauen, reinkommen, dazwischenschieben, dran", "brauche, ausmachen, vereinbaren"},
	{"fr", "venir, passer, viens, passe, me prendre, recevoir", ""},
	{"es", "venir, pasar, ir, paso, voy, acercarme, atender", ""},
}

func speechOf(language string) *speech {
	for i := range speeches {
		if speeches[i].language == language {
			return &speeches[i]
		}
	}
	return &speeches[0]
}

type replies struct{ thanksYou, closedOn string }

func repliesOf(language string) replies {
	switch language {
	case "de":
		return replies{"Danke, %s.", "Am %s ist geschlossen."}
	case "es":
		return replies{"Gracias, %s.", "El %s está cerrado."}
	case "fr":
		return replies{"Merci, %s.", "Le %s, c'est fermé."}
	}
	return replies{"Thank you, %s.", "We are closed on %s."}
}
