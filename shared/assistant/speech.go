package assistant

type speech struct{ language, come, lead string }

var speeches = []speech{
	{"en", "come in, come by, come, pop in, drop in, drop by, stop by, pop by, fit me in, squeeze me in, see me, be there, get in, do me, book me in, swing by", "it's, its, it is, this is, that's, i am, i'm, im, name is, name's, the name is, for, under, call me, under the name"},
	{"de", "kommen, komme, komm, vorbeikommen, vorbei kommen, vorbeischauen, reinkommen, dazwischenschieben, dran", "ich bin, ich heiße, hier ist, für, auf, auf den namen, auf, name ist, das ist, es ist"},
	{"fr", "venir, passer, viens, passe, me prendre, recevoir", "je suis, c'est, moi c'est, au nom de, pour, ici"},
	{"es", "venir, pasar, ir, paso, voy, acercarme, atender", "soy, es, es para, a nombre de, para"},
}

func speechOf(language string) *speech {
	for i := range speeches {
		if speeches[i].language == language {
			return &speeches[i]
		}
	}
	return &speeches[0]
}
