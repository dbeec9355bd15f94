package builtin

// A phrasing is how people of one language say what the engine listens for. Each field lists words or phrases with
// commas between them, in any form: they are compared by their stems. Semicolons part groups.
type phrasing struct {
	language string

	// Small talk, and the words that go along with it and change nothing.
	greeting, goodbye, thanks, filler string
	// human lists requests for a person. A humanVerb and a humanNoun close together are one too, when one of humanWith
	// stands before the noun; a language with an empty humanWith says that by endings.
	human, humanVerb, humanWith, humanNoun string
	// not lists the words that turn a request round.
	not string
	// What a message can be about.
	complaint, booking, pricing string
	// Question words by what they ask for. Longer phrases win: "how much" is no "how".
	who, when, where, howMany string
	// followUp lists how a message begins that goes on with the one before it.
	followUp string
	// hearsay is how people say where they have it from, or that they want to know, which is no part of the question.
	hearsay string
	// related are groups of words that stand for the same matter at a front desk.
	related string
}

// phrasings costs nothing at the start of a process: the compiler lays the table out.
var phrasings = [...]phrasing{
	{
		language: "en",
		greeting: "hi, hii, hello, hey, hiya, howdy, yo, greetings, good morning, good afternoon, good evening, good day, how are you, how are you doing, how is it going, how's it going, what's up, whats up, nice to meet you, can you help me, can you help, i need help, i need some help, i have a question, help, anyone there, is anyone there",
		goodbye:  "bye, bye bye, goodbye, good bye, see you, see ya, cya, good night, take care, have a nice day, have a good day, have a great day, talk to you later, that's all, that is all, until next time, see you tomorrow, see you then, see you soon, see you there, see you later, see you around, nice weekend, great weekend, good weekend, lovely weekend, nice evening, great evening, good one, until then, until tomorrow, speak soon",
		thanks:   "thanks, thank you, thx, ty, cheers, much appreciated, appreciate it, great thanks, that helps, that helped, perfect, awesome, great, ok, okay, got it, cool",
		filler:   "there, have, a, an, the, all, so, very, much, lot, lots, again, for, your, you, help, everyone, everybody, team, guys, today, to, and, oh, well, then, it, i, my, friend, sir, madam, dear, now, really, it's, was, that, bot, me, doing, in, advance, kind, support, time, information, info, answer, reply",

		human:     "real person, actual person, live person, real human, human being, live agent, human agent, live chat with someone, call me back, have someone call me, customer service representative, someone real, not a bot, put me through, real agent, can someone call me, could someone call me, can somebody call me, could somebody call me, can you call me, could you call me, please call me, ring me back, anyone call me",
		humanVerb: "speak, talk, chat, transfer, connect, escalate, redirect",
		humanWith: "to, with",
		humanNoun: "human, person, people, agent, representative, rep, operator, someone, somebody, manager, staff, supervisor, advisor, employee, colleague, owner, receptionist",
		not:       "don't, dont, do not, not, never, without, no need",

		complaint: "complaint, complain, terrible, awful, horrible, unacceptable, disgusting, disappointed, disappointing, worst, rude, not happy, unhappy, not satisfied, dissatisfied, furious, angry, scam, ripped off, never arrived, arrived damaged, arrived broken, still waiting for, fed up, poor service, bad service",
		booking:   "book, booking, reserve, reservation, appointment, schedule a, make a reservation, reschedule, table for",
		pricing:   "how much, price, cost, fee, charge, rate, rates, expensive, cheap, discount, quote, pricing, price list",

		who:      "who, whom, whose",
		when:     "when, what time, at what time, what hours, how late, how early, until when, what day, which day, what year, which year, what date, what month",
		where:    "where, what address, which city, what city, what country, which country, what street, what place",
		howMany:  "how many, how much, how long, how old, how far, how big, how often, how tall, how large, what percentage, what percent, what number, how fast",
		hearsay:  "somebody told me, someone told me, told me, told us, I was told, I heard, we heard, I read, I saw, I was wondering, I am wondering, wondering",
		followUp: "and, what about, how about, or, also, then, but, same for, is it, are they, does it, do they, and for",
		related: "sell, selling, sale, sales; rent, rental, renting, lease; allow, allowed, permit, permitted, welcome, bring, may; open, opens, close, closes, closed, hours, opening, closing, schedule; price, cost, fee, charge, rate, pay, expensive; " +
			"address, location, located, directions, find, street; book, booking, reserve, reservation, appointment; deliver, delivery, ship, shipping; " +
			"return, refund, exchange, money back; payment, pay, card, cash, accept; phone, telephone, call, number; email, mail, write; " +
			"child, children, kid, kids, baby; dog, dogs, pet, pets, cat, animal; weekend, saturday, sunday; buy, purchase, order; car, parking, park; vegetarian, vegan; doctor, physician, dentist; " +
			"begin, began, begun; break, broke, broken; bring, brought; build, built; buy, bought; catch, caught; " +
			"choose, chose, chosen; die, death, dead; draw, drew, drawn; drive, drove, driven; eat, ate, eaten; " +
			"fall, fell, fallen; feel, felt; fight, fought; fly, flew, flown; forbid, forbade, forbidden; " +
			"freeze, froze, frozen; give, gave, given; grow, grew, grown; hear, heard; hide, hid, hidden; hold, held; " +
			"keep, kept; lead, led; leave, left; lend, lent; lose, lost, loss; meet, met; pay, paid; ride, rode, ridden; " +
			"ring, rang, rung; rise, rose, risen; sell, sold; send, sent; shoot, shot; sing, sang, sung; sink, sank, sunk; " +
			"sit, sat; sleep, slept; speak, spoke, spoken; spend, spent; stand, stood; steal, stole, stolen; strike, struck; " +
			"swim, swam; teach, taught; think, thought; throw, threw, thrown; understand, understood; wear, wore, worn; " +
			"win, won; write, wrote, written; man, men; woman, women; person, people; foot, feet; tooth, teeth",
	},
	{
		language: "es",
		greeting: "hola, holaa, buenas, buenos días, buenas tardes, buenas noches, buen día, saludos, qué tal, cómo estás, cómo está, qué pasa, mucho gusto, hey",
		goodbye:  "adiós, hasta luego, hasta pronto, hasta mañana, nos vemos, chao, chau, que tenga un buen día, que tengas un buen día, eso es todo, hasta la próxima, cuídate, buen fin de semana, buena tarde, buen día, hasta entonces, hasta el lunes, hasta luego, feliz día, feliz tarde",
		thanks:   "gracias, muchas gracias, mil gracias, muy amable, te lo agradezco, se lo agradezco, agradecido, agradecida, perfecto, genial, vale, ok, estupendo, entendido, de acuerdo",
		filler:   "muy, mucho, todo, por, la, el, su, tu, ayuda, a, todos, equipo, amigo, señor, señora, y, pues, hoy, bien, información, respuesta, atención, de, nuevo, ya",

		human:     "persona real, ser humano, agente humano, hablar con alguien, atención al cliente, que me llamen, llámenme, no un robot, no un bot, me puede llamar, me pueden llamar, puede llamarme, pueden llamarme, me podría llamar, me podrían llamar, llámeme, llamadme",
		humanVerb: "hablar, comunicar, conversar, pasar, transferir, contactar, conectar, comunicarme, pásame, páseme",
		humanWith: "con, a",
		humanNoun: "humano, persona, agente, alguien, representante, operador, encargado, responsable, empleado, asesor, gerente, recepcionista, dueño",
		not:       "no, nunca, sin",

		complaint: "queja, quejarme, reclamación, reclamo, terrible, horrible, pésimo, pésima, inaceptable, decepcionado, decepcionada, vergüenza, maleducado, enfadado, enfadada, estafa, mal servicio, no ha llegado, llegó roto, llegó dañado, sigo esperando, harto, harta, insatisfecho",
		booking:   "reservar, reserva, cita, agendar, pedir cita, turno, mesa para, reprogramar",
		pricing:   "cuánto cuesta, cuánto cuestan, cuánto vale, cuánto es, precio, coste, costo, tarifa, caro, barato, descuento, presupuesto, cuánto cobran, cuánto",

		who:      "quién, quiénes, de quién",
		when:     "cuándo, a qué hora, qué hora, hasta qué hora, desde qué hora, qué horario, qué día, qué días, en qué año, qué año, qué fecha",
		where:    "dónde, adónde, en qué calle, qué dirección, en qué ciudad, en qué país",
		howMany:  "cuánto, cuánta, cuántos, cuántas, qué edad, qué porcentaje, cada cuánto",
		hearsay:  "me han dicho, me dijeron, he oído, he leído, he visto, quería saber",
		followUp: "y, o, pero, también, entonces, y para, qué tal, y si",
		related: "vender, venta, ventas, vendo, vende; alquilar, alquiler, alquilo, alquila; permitir, permitido, permiten, admitir, admiten, bienvenido, bienvenidos, traer, llevar; abrir, abre, abren, cerrar, cierra, cierran, cerrado, abierto, horario, hora, apertura, cierre; precio, costar, cuesta, coste, costo, tarifa, valer; " +
			"dirección, ubicación, ubicado, calle, llegar, encontrar; reservar, reserva, cita, turno; entrega, entregar, envío, enviar, domicilio; devolver, devolución, reembolso, cambio; " +
			"pago, pagar, tarjeta, efectivo; teléfono, llamar, número; correo, email, escribir; niño, niños, bebé; perro, mascota, animal; sábado, domingo, fin de semana; comprar, compra, pedido, pedir; coche, aparcamiento, parking, aparcar, estacionamiento; vegetariano, vegano",
	},
	{
		language: "fr",
		greeting: "bonjour, salut, bonsoir, coucou, hello, bonne journée à vous, comment allez-vous, comment ça va, ça va, enchanté",
		goodbye:  "au revoir, à bientôt, bonne journée, bonne soirée, bonne nuit, à plus, à plus tard, à demain, ciao, adieu, c'est tout, bon week-end, bon weekend, bonne fin de journée, bonne continuation, à tout à l'heure",
		thanks:   "merci, merci beaucoup, merci bien, mille mercis, je vous remercie, parfait, super, génial, d'accord, ok, très bien, c'est noté, entendu",
		filler:   "beaucoup, bien, pour, votre, ton, aide, à, tous, toute, l, équipe, monsieur, madame, et, vous, toi, tout, le, monde, très, réponse, de, la, les, infos",

		human:     "vraie personne, être humain, agent humain, conseiller humain, quelqu'un de réel, service client, me rappeler, rappelez-moi, pas un robot, pas un bot, pouvez-vous m'appeler, peut m'appeler, m'appeler, appelez-moi",
		humanVerb: "parler, discuter, contacter, transférer, joindre, passer, échanger",
		humanWith: "avec, à, au, un, une",
		humanNoun: "humain, personne, agent, quelqu'un, conseiller, conseillère, représentant, opérateur, responsable, employé, gérant, réceptionniste",
		not:       "pas, jamais, sans",

		complaint: "plainte, réclamation, me plaindre, terrible, horrible, inacceptable, déçu, déçue, décevant, scandaleux, honteux, furieux, en colère, arnaque, mauvais service, jamais arrivé, arrivé cassé, j'attends toujours, mécontent, insatisfait",
		booking:   "réserver, réservation, rendez-vous, rdv, prendre rendez-vous, table pour, reporter",
		pricing:   "combien coûte, combien coûtent, combien ça coûte, c'est combien, prix, tarif, coût, cher, réduction, devis, combien",

		who:      "qui, à qui, de qui",
		when:     "quand, à quelle heure, quelle heure, quels horaires, jusqu'à quelle heure, quel jour, quels jours, en quelle année, quelle année, quelle date",
		where:    "où, à quelle adresse, quelle adresse, dans quelle rue, dans quelle ville, quel pays, quelle ville",
		howMany:  "combien, combien de, quel âge, quel pourcentage, combien de temps, quelle durée",
		hearsay:  "on m'a dit, j'ai entendu, j'ai lu, j'ai vu, je voulais savoir",
		followUp: "et, ou, mais, aussi, alors, et pour, qu'en est-il",
		related: "vendre, vente, vends, vendez; louer, location, loyer, louez; autoriser, autorisé, permettre, permis, admis, admettre, bienvenu, bienvenue, amener, apporter, venir; ouvrir, ouvert, ouverts, ouvre, ouvrez, ouverture, fermer, fermé, fermez, ferme, fermeture, horaire, horaires, heures; prix, tarif, coût, coûter, coûte, cher; adresse, rue, situé, trouver, trouve; " +
			"réserver, réservation, rdv, rendez, rendez-vous; livraison, livrer, livrez, expédition, envoi; retour, retourner, rembourser, remboursement, échange; paiement, payer, carte, espèces; téléphone, appeler, numéro; mail, email, courriel, écrire; " +
			"enfant, enfants, bébé; chien, chiens, animal, animaux; samedi, dimanche, week-end; acheter, achat, commande, commander; voiture, parking, stationnement, garer; végétarien, végétalien, végan",
	},
	{
		language: "de",
		greeting: "hallo, hi, hey, guten Tag, guten Morgen, guten Abend, moin, servus, grüß Gott, grüezi, wie geht es Ihnen, wie geht's, wie geht es dir, freut mich, tag",
		goodbye:  "tschüss, tschüs, auf Wiedersehen, bis bald, bis später, bis morgen, bis dann, ciao, schönen Tag noch, schönen Abend noch, gute Nacht, das war's, das ist alles, schönes Wochenende, schönen Tag, schönen Tag noch, schönen Abend, schönen Abend noch, bis morgen, bis dann, bis dahin, bis nachher, bis später, schönen Feierabend, gutes Wochenende",
		thanks:   "danke, danke schön, dankeschön, vielen Dank, besten Dank, herzlichen Dank, lieben Dank, tausend Dank, super, perfekt, prima, toll, ok, okay, alles klar, verstanden, in Ordnung",
		filler:   "nochmal, nochmals, sehr, schön, für, Ihre, die, deine, Hilfe, euch, Ihnen, dir, allen, zusammen, Team, und, noch, ja, so, liebes, Antwort, Auskunft, Info, schnelle, das, der, mal, an, alle",

		human:     "echter Mensch, echten Menschen, menschlicher Mitarbeiter, echte Person, echten Mitarbeiter, Kundenservice, Kundendienst, Rückruf, rufen Sie mich an, ruft mich an, kein Bot, kein Roboter, rufen Sie mich an, kann mich jemand anrufen, mich anrufen, ruft mich an, mich zurückrufen, um Rückruf, Rückruf bitte",
		humanVerb: "sprechen, reden, verbinden, weiterleiten, chatten, telefonieren, kontaktieren",
		humanWith: "mit, zu, an, einen, eine, jemand, jemanden",
		humanNoun: "Mensch, Menschen, Person, Mitarbeiter, Mitarbeiterin, jemand, jemandem, jemanden, Berater, Kollegen, Chef, Manager, Ansprechpartner, Leitung",
		not:       "nicht, kein, keine, keinen, keinem, nie, ohne",

		complaint: "Beschwerde, beschweren, schrecklich, furchtbar, unverschämt, unmöglich, inakzeptabel, enttäuscht, enttäuschend, Frechheit, unfreundlich, wütend, verärgert, Betrug, Abzocke, schlechter Service, nie angekommen, kaputt angekommen, beschädigt angekommen, warte immer noch, unzufrieden, Reklamation",
		booking:   "buchen, Buchung, reservieren, Reservierung, Termin, Termin vereinbaren, Tisch für, verschieben, Tischreservierung",
		pricing:   "wie viel kostet, wieviel kostet, was kostet, was kosten, wie teuer, Preis, Preise, Kosten, Gebühr, teuer, günstig, Rabatt, Angebot, Preisliste, kostet, wie viel kosten",

		who:      "wer, wem, wen, wessen",
		when:     "wann, um wie viel Uhr, wie viel Uhr, wieviel Uhr, ab wann, bis wann, wie lange offen, welche Zeiten, an welchem Tag, an welchen Tagen, in welchem Jahr, welches Jahr, welches Datum",
		where:    "wo, wohin, woher, welche Adresse, in welcher Straße, in welcher Stadt, in welchem Land",
		howMany:  "wie viel, wie viele, wieviel, wieviele, wie lange, wie alt, wie weit, wie groß, wie oft, wie hoch, wie viel Prozent",
		hearsay:  "man hat mir gesagt, mir wurde gesagt, habe gehört, habe gelesen, habe gesehen, wollte fragen, wollte wissen",
		followUp: "und, oder, aber, auch, wie sieht es, dann, und am, und was ist mit, was ist mit",
		related: "verkaufen, Verkauf, verkaufe, verkauft; mieten, Miete, vermieten, Vermietung; erlauben, erlaubt, gestattet, zugelassen, willkommen, mitbringen, bringen, mitnehmen; öffnen, öffnet, offen, geöffnet, Öffnungszeiten, auf, schließen, schließt, geschlossen, Uhr; Preis, Preise, kosten, kostet, Kosten, Gebühr, teuer; Adresse, Straße, Standort, finden, finde, Anfahrt; " +
			"buchen, Buchung, reservieren, Reservierung, Termin; liefern, Lieferung, Versand, versenden, Lieferzeit; Rückgabe, zurückgeben, Erstattung, Umtausch, umtauschen, Rücksendung, zurücksenden; Zahlung, zahlen, bezahlen, Karte, bar, Kartenzahlung, Barzahlung; " +
			"Telefon, anrufen, Nummer, Telefonnummer; Mail, E-Mail, schreiben; Kind, Kinder, Baby; Hund, Hunde, Haustier, Haustiere, Tier; Samstag, Sonntag, Wochenende; kaufen, Kauf, bestellen, Bestellung; Auto, Parkplatz, parken, Parkplätze; vegetarisch, vegan",
	},
	{
		language: "it",
		greeting: "ciao, salve, buongiorno, buonasera, buon giorno, buona sera, buon pomeriggio, come stai, come sta, come va, piacere, hey",
		goodbye:  "arrivederci, a presto, a dopo, a domani, buona giornata, buona serata, buona notte, buonanotte, addio, ci vediamo, è tutto, buon fine settimana, buon weekend, buona giornata, buona serata, a domani, a dopo",
		thanks:   "grazie, grazie mille, molte grazie, tante grazie, ti ringrazio, la ringrazio, perfetto, ottimo, va bene, ok, d'accordo, fantastico, capito",
		filler:   "mille, tanto, molto, per, il, la, l, suo, vostro, tuo, aiuto, a, tutti, signore, signora, e, lei, voi, team, risposta, di, tutto, le, informazioni",

		human:     "persona reale, persona vera, essere umano, operatore umano, servizio clienti, assistenza clienti, mi richiami, richiamatemi, non un robot, non un bot, mi può chiamare, mi potete chiamare, potete chiamarmi, può chiamarmi, mi chiami, mi chiamate, richiamatemi",
		humanVerb: "parlare, chattare, contattare, trasferire, passare, passarmi, comunicare, collegare",
		humanWith: "con, a",
		humanNoun: "umano, persona, operatore, qualcuno, rappresentante, responsabile, addetto, impiegato, consulente, direttore, agente, titolare",
		not:       "non, mai, senza",

		complaint: "reclamo, lamentela, lamentarmi, terribile, orribile, inaccettabile, deluso, delusa, deludente, vergogna, maleducato, arrabbiato, arrabbiata, truffa, pessimo, pessimo servizio, mai arrivato, arrivato rotto, sto ancora aspettando, insoddisfatto",
		booking:   "prenotare, prenotazione, appuntamento, prendere appuntamento, fissare, tavolo per, riprogrammare",
		pricing:   "quanto costa, quanto costano, quanto viene, prezzo, prezzi, costo, tariffa, caro, economico, sconto, preventivo, quanto",

		who:      "chi, di chi, a chi",
		when:     "quando, a che ora, che ora, che orari, quali orari, fino a che ora, che giorno, quali giorni, in che anno, quale anno, che data",
		where:    "dove, dov'è, in che via, quale indirizzo, in quale città, in quale paese",
		howMany:  "quanto, quanta, quanti, quante, quanti anni, che percentuale, per quanto tempo",
		hearsay:  "mi hanno detto, ho sentito, ho letto, ho visto, volevo sapere",
		followUp: "e, o, ma, anche, allora, e per, invece",
		related: "vendere, vendita, vendo, vendete; affittare, affitto, affittate; permesso, permettere, ammesso, ammessi, benvenuto, benvenuti, portare; aprire, apre, aprite, aperto, aperti, apertura, chiudere, chiude, chiudete, chiuso, chiusi, chiusura, orario, orari; prezzo, costo, costare, costa, tariffa; indirizzo, via, trovare, trova, trovate; prenotare, prenotazione, appuntamento; " +
			"consegna, consegnare, consegnate, spedizione, spedire; reso, restituire, rimborso, cambio; pagamento, pagare, carta, contanti; telefono, chiamare, numero; mail, email, scrivere; bambino, bambini; cane, cani, animale, animali; sabato, domenica, fine settimana; comprare, acquisto, ordine, ordinare; auto, parcheggio, parcheggiare; vegetariano, vegano",
	},
	{
		language: "pt",
		greeting: "olá, oi, oie, bom dia, boa tarde, boa noite, tudo bem, como vai, como está, prazer, e aí, opa",
		goodbye:  "adeus, tchau, até logo, até mais, até breve, até amanhã, tenha um bom dia, boa semana, é só isso, é tudo, bom fim de semana, bom dia para você, boa tarde para você, até amanhã, até já, até breve",
		thanks:   "obrigado, obrigada, muito obrigado, muito obrigada, valeu, agradeço, grato, grata, perfeito, ótimo, ok, tá bom, está bem, entendi, certo, beleza",
		filler:   "muito, por, pela, tudo, a, o, sua, ajuda, todos, equipe, equipa, senhor, senhora, e, você, vocês, pelo, atendimento, resposta, mesmo, de, informação, vosso, vossa, vossos, vossas",

		human:     "pessoa real, pessoa de verdade, ser humano, atendente humano, agente humano, atendimento ao cliente, me liguem, me ligar, não um robô, não um bot, pode ligar-me, podem ligar-me, me ligar, ligue-me, me ligue, liguem-me",
		humanVerb: "falar, conversar, contactar, contatar, transferir, passar, conectar",
		humanWith: "com, para",
		humanNoun: "humano, pessoa, atendente, agente, alguém, representante, operador, responsável, funcionário, gerente, recepcionista, dono",
		not:       "não, nunca, sem",

		complaint: "reclamação, reclamar, queixa, terrível, horrível, inaceitável, decepcionado, decepcionada, desapontado, vergonha, péssimo, péssima, zangado, golpe, mau serviço, nunca chegou, chegou quebrado, chegou danificado, ainda estou à espera, insatisfeito",
		booking:   "reservar, reserva, marcar, marcação, agendar, agendamento, consulta, mesa para, remarcar",
		pricing:   "quanto custa, quanto custam, quanto é, quanto fica, preço, preços, custo, tarifa, valor, caro, barato, desconto, orçamento, quanto",

		who:      "quem, de quem",
		when:     "quando, a que horas, que horas, até que horas, qual o horário, qual horário, que dia, que dias, em que ano, que ano, que data",
		where:    "onde, aonde, em que rua, qual o endereço, qual endereço, em que cidade, em que país",
		howMany:  "quanto, quanta, quantos, quantas, que idade, que percentagem, qual porcentagem, quanto tempo",
		hearsay:  "disseram-me, me disseram, ouvi dizer, queria saber",
		followUp: "e, ou, mas, também, então, e para, e se",
		related: "vender, venda, vendo, vendem; alugar, aluguel, aluguer, arrendar, arrendamento; permitir, permitido, admitir, aceitar, bem-vindo, bem-vindos, trazer, levar; abrir, abre, abrem, aberto, abertura, fechar, fecha, fecham, fechado, horário, horas, funcionamento; preço, custo, custar, custa, tarifa, valor; endereço, morada, rua, localização, encontrar, fica; reservar, reserva, marcação, agendar, consulta; " +
			"entrega, entregar, entregam, envio, enviar; devolver, devolução, reembolso, troca; pagamento, pagar, cartão, dinheiro; telefone, ligar, número; email, correio, escrever; criança, crianças, bebê; cão, cachorro, animal, animais; sábado, domingo, fim de semana; comprar, compra, pedido, encomenda; carro, estacionamento, estacionar; vegetariano, vegano",
	},
	{
		language: "nl",
		greeting: "hallo, hoi, hi, hey, goedemorgen, goedemiddag, goedenavond, goedendag, dag, hoe gaat het, hoe gaat het met u, alles goed, aangenaam",
		goodbye:  "tot ziens, doei, dag hoor, tot later, tot snel, tot morgen, fijne dag, fijne dag nog, fijne avond, welterusten, dat was alles, dat is alles, fijn weekend, prettig weekend, goed weekend, tot morgen, tot dan, fijne avond, prettige avond",
		thanks:   "bedankt, dank u, dank u wel, dank je, dank je wel, dankjewel, dankje, dankuwel, hartelijk dank, heel erg bedankt, top, prima, perfect, super, ok, oké, begrepen, duidelijk",
		filler:   "heel, erg, veel, voor, de, uw, je, hulp, allemaal, team, en, het, snelle, antwoord, informatie, u, alvast",

		human:     "echt persoon, echte persoon, echt mens, menselijke medewerker, klantenservice, bel me terug, terugbellen, geen bot, geen robot, kan iemand mij bellen, kunt u mij bellen, bel mij, bel me",
		humanVerb: "spreken, praten, doorverbinden, chatten, verbinden, bellen",
		humanWith: "met, een, iemand",
		humanNoun: "mens, persoon, medewerker, iemand, collega, manager, adviseur, eigenaar",
		not:       "niet, geen, nooit, zonder",

		complaint: "klacht, klagen, vreselijk, verschrikkelijk, onacceptabel, teleurgesteld, teleurstellend, schandalig, onbeleefd, boos, woedend, oplichting, slechte service, nooit aangekomen, kapot aangekomen, beschadigd aangekomen, wacht nog steeds, ontevreden",
		booking:   "boeken, boeking, reserveren, reservering, afspraak, afspraak maken, tafel voor, verzetten",
		pricing:   "hoeveel kost, hoeveel kosten, wat kost, wat kosten, hoe duur, prijs, prijzen, kosten, tarief, duur, goedkoop, korting, offerte",

		who:      "wie, van wie",
		when:     "wanneer, hoe laat, tot hoe laat, vanaf hoe laat, welke tijden, welke dag, welke dagen, in welk jaar, welk jaar, welke datum",
		where:    "waar, waarheen, welk adres, in welke straat, in welke stad, in welk land",
		howMany:  "hoeveel, hoe lang, hoe oud, hoe ver, hoe groot, hoe vaak, welk percentage",
		hearsay:  "ik heb gehoord, ik heb gelezen, ik heb gezien",
		followUp: "en, of, maar, ook, dan, en voor, hoe zit het met, en op",
		related: "toegestaan, toestaan, welkom, meenemen, meebrengen, toegelaten; open, opent, openen, geopend, openingstijden, sluit, sluiten, gesloten, dicht; prijs, prijzen, kosten, kost, tarief; adres, straat, vinden, locatie; boeken, boeking, reserveren, reservering, afspraak; bezorgen, bezorging, leveren, levering, verzending, verzenden; " +
			"retour, retourneren, terugsturen, terugbetaling, ruilen; betaling, betalen, pinnen, kaart, contant; telefoon, bellen, nummer, telefoonnummer; mail, e-mail, schrijven; kind, kinderen, baby; hond, honden, huisdier, huisdieren; zaterdag, zondag, weekend; kopen, bestellen, bestelling; auto, parkeren, parkeerplaats; vegetarisch, veganistisch",
	},
	{
		language: "sv",
		greeting: "hej, hejsan, hallå, tja, tjena, god morgon, god kväll, god dag, hur mår du, hur är det, läget, trevligt att träffas",
		goodbye:  "hej då, hejdå, adjö, vi ses, ha det bra, ha en bra dag, ha en fin dag, god natt, det var allt, ses senare, trevlig helg, trevlig kväll, vi ses, vi ses imorgon, ses då, ha en fin dag",
		thanks:   "tack, tack så mycket, tusen tack, stort tack, tackar, perfekt, toppen, bra, ok, okej, jättebra, förstår, uppskattas",
		filler:   "så, mycket, för, hjälpen, all, din, er, alla, team, och, det, svaret, informationen, snabba",

		human:     "riktig person, riktig människa, levande person, mänsklig agent, kundtjänst, kundservice, ring mig, ringa upp mig, inte en bot, inte en robot, kan någon ringa mig, kan ni ringa mig, ring mig",
		humanVerb: "prata, tala, chatta, koppla, snacka",
		humanWith: "med, till",
		humanNoun: "människa, person, medarbetare, någon, handläggare, chef, kollega, rådgivare, personal, ägare",
		not:       "inte, aldrig, utan, ingen",

		complaint: "klagomål, klaga, reklamation, hemskt, fruktansvärt, oacceptabelt, besviken, skandal, oförskämd, arg, bedrägeri, dålig service, aldrig kommit, kom trasig, väntar fortfarande, missnöjd",
		booking:   "boka, bokning, reservera, reservation, tid hos, beställa tid, bord för, boka om",
		pricing:   "vad kostar, hur mycket kostar, pris, priser, kostnad, avgift, dyrt, billigt, rabatt, offert, kostar",

		who:      "vem, vilka, vems",
		when:     "när, vilken tid, hur dags, hur länge öppet, vilka tider, vilken dag, vilka dagar, vilket år, vilket datum",
		where:    "var, vart, vilken adress, vilken gata, vilken stad, vilket land",
		howMany:  "hur mycket, hur många, hur länge, hur gammal, hur långt, hur stor, hur ofta, hur många procent",
		followUp: "och, eller, men, också, då, och för, hur är det med",
		related: "öppet, öppnar, öppen, öppna, öppettider, stänger, stängt, stänga; pris, priser, kostar, kosta, kostnad, avgift; adress, gata, hitta, ligger; boka, bokning, reservera, tid; leverera, leverans, frakt, skicka; retur, returnera, återbetalning, byta, byte; betala, betalning, kort, kontant; " +
			"telefon, ringa, nummer, telefonnummer; mejl, e-post, mail, skriva; barn, bebis; hund, hundar, husdjur; lördag, söndag, helg; köpa, beställa, beställning; bil, parkering, parkera; vegetariskt, veganskt",
	},
	{
		language: "da",
		greeting: "hej, hejsa, hallo, goddag, godmorgen, god morgen, godaften, god aften, hvordan går det, hvordan har du det, dav",
		goodbye:  "farvel, hej hej, vi ses, ha en god dag, hav en god dag, godnat, god nat, det var alt, på gensyn, ses senere, god weekend, god aften, vi ses, vi ses i morgen, fortsat god dag",
		thanks:   "tak, mange tak, tusind tak, tak for det, tak for hjælpen, perfekt, super, fint, ok, okay, godt, forstået, dejligt",
		filler:   "mange, så, meget, for, hjælpen, din, jeres, alle, team, og, det, svaret, informationen, hurtige",

		human:     "rigtig person, rigtigt menneske, levende person, kundeservice, ring til mig, ringe mig op, ikke en bot, ikke en robot, kan nogen ringe til mig, kan I ringe til mig, ring til mig",
		humanVerb: "tale, snakke, chatte, stille, viderestille",
		humanWith: "med, til, igennem",
		humanNoun: "menneske, person, medarbejder, nogen, chef, kollega, rådgiver, personale, ejer",
		not:       "ikke, aldrig, uden, ingen",

		complaint: "klage, klager, reklamation, forfærdeligt, frygteligt, uacceptabelt, skuffet, skandale, uforskammet, vred, svindel, dårlig service, aldrig kommet, kom i stykker, venter stadig, utilfreds",
		booking:   "booke, bestille tid, bestilling, reservere, reservation, aftale, tidsbestilling, bord til, flytte tid",
		pricing:   "hvad koster, hvor meget koster, pris, priser, omkostning, gebyr, dyrt, billigt, rabat, tilbud, koster",

		who:      "hvem, hvis",
		when:     "hvornår, hvad tid, hvilket tidspunkt, hvilke tider, hvilken dag, hvilke dage, hvilket år, hvilken dato",
		where:    "hvor, hvorhen, hvilken adresse, hvilken gade, hvilken by, hvilket land",
		howMany:  "hvor meget, hvor mange, hvor længe, hvor gammel, hvor langt, hvor stor, hvor ofte, hvor mange procent",
		followUp: "og, eller, men, også, så, og for, hvad med",
		related: "åbent, åbner, åben, åbne, åbningstider, lukker, lukket, lukke; pris, priser, koster, koste, gebyr; adresse, gade, vej, finde, ligger; booke, bestille, bestilling, reservere, reservation, tid, aftale; levere, levering, fragt, sende, forsendelse; retur, returnere, refusion, bytte; betale, betaling, kort, kontant; " +
			"telefon, ringe, nummer, telefonnummer; mail, e-mail, skrive; barn, børn, baby; hund, hunde, husdyr; lørdag, søndag, weekend; købe, køb, ordre; bil, parkering, parkere; vegetarisk, vegansk",
	},
	{
		language: "no",
		greeting: "hei, hallo, heisann, god dag, god morgen, god kveld, morn, hvordan går det, hvordan har du det, hyggelig å møte deg",
		goodbye:  "ha det, ha det bra, hade, farvel, vi ses, ha en fin dag, ha en god dag, god natt, det var alt, snakkes, god helg, god kveld, vi ses, vi ses i morgen, ha en fin dag",
		thanks:   "takk, tusen takk, mange takk, takk skal du ha, takk for hjelpen, perfekt, supert, fint, ok, okei, bra, flott, forstått",
		filler:   "så, mye, for, hjelpen, din, deres, alle, team, og, det, svaret, informasjonen, raske",

		human:     "ekte person, ekte menneske, levende person, kundeservice, ring meg, ringe meg, ikke en bot, ikke en robot, kan noen ringe meg, kan dere ringe meg, ring meg",
		humanVerb: "snakke, prate, chatte, sette, koble",
		humanWith: "med, over, til",
		humanNoun: "menneske, person, medarbeider, noen, sjef, kollega, rådgiver, ansatt, personale, eier",
		not:       "ikke, aldri, uten, ingen",

		complaint: "klage, klager, reklamasjon, forferdelig, fryktelig, uakseptabelt, skuffet, skandale, uforskammet, sint, svindel, dårlig service, aldri kommet, kom ødelagt, venter fortsatt, misfornøyd",
		booking:   "bestille time, bestilling, reservere, reservasjon, avtale, time hos, bord til, booke, endre time",
		pricing:   "hva koster, hvor mye koster, pris, priser, kostnad, avgift, dyrt, billig, rabatt, tilbud, koster",

		who:      "hvem",
		when:     "når, hvilken tid, hvilket tidspunkt, hvilke tider, hvilken dag, hvilke dager, hvilket år, hvilken dato",
		where:    "hvor, hvilken adresse, hvilken gate, hvilken by, hvilket land",
		howMany:  "hvor mye, hvor mange, hvor lenge, hvor gammel, hvor langt, hvor stor, hvor ofte, hvor mange prosent",
		followUp: "og, eller, men, også, så, og for, hva med",
		related: "åpent, åpner, åpen, åpne, åpningstider, stenger, stengt, stenge, lukket; pris, priser, koster, koste, avgift; adresse, gate, vei, finne, ligger; bestille, bestilling, reservere, reservasjon, time, avtale; levere, levering, frakt, sende; retur, returnere, refusjon, bytte; betale, betaling, kort, kontant; " +
			"telefon, ringe, nummer, telefonnummer; e-post, mail, skrive; barn, baby; hund, hunder, kjæledyr; lørdag, søndag, helg; kjøpe, kjøp, ordre; bil, parkering, parkere; vegetarisk, vegansk",
	},
	{
		language: "fi",
		greeting: "hei, moi, moikka, terve, päivää, hyvää päivää, hyvää huomenta, huomenta, hyvää iltaa, iltaa, mitä kuuluu, hauska tavata",
		goodbye:  "näkemiin, hei hei, heippa, moi moi, nähdään, hyvää päivän jatkoa, mukavaa päivää, hyvää yötä, siinä kaikki, hyvää viikonloppua, hyvää illanjatkoa, nähdään huomenna",
		thanks:   "kiitos, kiitoksia, paljon kiitoksia, kiitos paljon, suuri kiitos, kiitti, täydellistä, hienoa, hyvä, ok, okei, selvä, loistavaa, ymmärrän",
		filler:   "paljon, avusta, kaikille, kaikesta, tiimi, ja, se, oikein, vastauksesta, tiedosta, teille, sinulle",

		human:     "oikea ihminen, oikealle ihmiselle, oikean ihmisen, elävä ihminen, asiakaspalvelu, asiakaspalvelija, soittakaa minulle, en botin, ei botti, voiko joku soittaa minulle, voitteko soittaa minulle",
		humanVerb: "puhua, jutella, keskustella, yhdistää, puhun",
		humanWith: "",
		humanNoun: "ihminen, ihmisen, ihmiselle, henkilö, henkilön, työntekijä, työntekijän, joku, jonkun, esimies, päällikkö, asiakaspalvelijan, omistaja",
		not:       "ei, en, älä, älkää, ilman",

		complaint: "valitus, valittaa, reklamaatio, kamala, hirveä, törkeä, pettynyt, häpeä, töykeä, vihainen, huijaus, huono palvelu, ei ole saapunut, saapui rikki, odotan edelleen, tyytymätön",
		booking:   "varata, varaus, ajanvaraus, tapaaminen, varata aika, pöytä, siirtää aika",
		pricing:   "paljonko maksaa, mitä maksaa, kuinka paljon maksaa, hinta, hinnat, hinnasto, maksu, kallis, halpa, alennus, tarjous, paljonko",

		who:      "kuka, ketkä, kenen",
		when:     "milloin, mihin aikaan, moneltako, mihin asti, mitkä ajat, minä päivänä, minä vuonna, mikä päivä",
		where:    "missä, minne, mihin, mistä, mikä osoite, millä kadulla, missä kaupungissa, missä maassa",
		howMany:  "kuinka paljon, kuinka monta, montako, paljonko, kuinka kauan, kuinka vanha, kuinka usein, kuinka monta prosenttia",
		followUp: "ja, tai, mutta, myös, entä, entäs, sitten",
		related: "auki, avoinna, avaa, avataan, aukioloajat, aukioloaika, kiinni, suljettu, sulkeutuu, suljetaan; hinta, hinnat, maksaa, maksu; osoite, katu, sijaitsee, löytyy; varata, varaus, ajanvaraus, aika; toimitus, toimittaa, lähettää, lähetys; palautus, palauttaa, hyvitys, vaihto; maksaa, kortti, käteinen, maksutapa; " +
			"puhelin, soittaa, numero, puhelinnumero; sähköposti, kirjoittaa; lapsi, lapset, lapsille, vauva; koira, koirat, lemmikki; lauantai, sunnuntai, viikonloppu; ostaa, tilata, tilaus; auto, pysäköinti, pysäköidä, parkkipaikka; kasvis, vegaani",
	},
	{
		language: "ro",
		greeting: "bună, bună ziua, bună dimineața, bună seara, salut, hei, ce mai faci, ce mai faceți, servus, noroc, încântat",
		goodbye:  "la revedere, pa, pe curând, pe mâine, o zi bună, o seară bună, noapte bună, asta e tot, ne vedem, weekend plăcut, sfârșit de săptămână plăcut, ne vedem mâine, pe curând",
		thanks:   "mulțumesc, mulțumesc mult, mulțumesc frumos, mersi, vă mulțumesc, îți mulțumesc, perfect, super, excelent, ok, bine, am înțeles, în regulă",
		filler:   "mult, foarte, pentru, ajutor, tot, frumos, tuturor, echipa, și, domnule, doamnă, răspuns, informații, de",

		human:     "persoană reală, om real, ființă umană, agent uman, operator uman, serviciul clienți, sunați-mă, să mă sunați, nu un robot, nu un bot, mă poate suna cineva, mă puteți suna",
		humanVerb: "vorbi, vorbesc, discuta, discut, conversa, transfera, contacta, legătura",
		humanWith: "cu, la",
		humanNoun: "om, uman, persoană, agent, cineva, reprezentant, operator, angajat, manager, coleg, consultant, patron",
		not:       "nu, niciodată, fără",

		complaint: "plângere, reclamație, reclama, mă plâng, groaznic, oribil, inacceptabil, dezamăgit, dezamăgită, rușine, nepoliticos, supărat, furios, înșelătorie, servicii proaste, nu a ajuns, a ajuns stricat, încă aștept, nemulțumit",
		booking:   "rezerva, rezervare, programare, programa, a face o programare, masă pentru, reprograma",
		pricing:   "cât costă, cât este, preț, prețuri, cost, tarif, taxă, scump, ieftin, reducere, ofertă",

		who:      "cine, cui, al cui",
		when:     "când, la ce oră, ce oră, până la ce oră, ce program, în ce zi, ce zile, în ce an, ce an, ce dată",
		where:    "unde, ce adresă, pe ce stradă, în ce oraș, în ce țară",
		howMany:  "cât, câtă, câți, câte, cât timp, cât de mult, câți ani, ce procent",
		followUp: "și, sau, dar, atunci, și pentru, dar pentru",
		related: "deschis, deschideți, deschide, deschidere, închis, închideți, închide, închidere, program, orar, ore; preț, prețuri, cost, costă, tarif; adresă, stradă, găsi, situat, locație; rezerva, rezervare, programare; livra, livrare, livrați, transport, expediere; retur, returna, rambursare, schimb; plată, plăti, card, numerar; " +
			"telefon, suna, număr; email, mail, scrie; copil, copii, bebeluș; câine, câini, animal, animale; sâmbătă, duminică, weekend; cumpăra, comandă, comanda; mașină, parcare, parca; vegetarian, vegan",
	},
	{
		language: "hu",
		greeting: "szia, sziasztok, helló, üdv, üdvözlöm, jó napot, jó napot kívánok, jó reggelt, jó estét, csókolom, hogy vagy, hogy van",
		goodbye:  "viszlát, viszontlátásra, szia szia, jó éjszakát, szép napot, további szép napot, ennyi volt, minden jót, jó hétvégét, szép hétvégét, szép estét, holnap találkozunk",
		thanks:   "köszönöm, köszönöm szépen, köszi, kösz, nagyon köszönöm, hálás köszönet, tökéletes, szuper, rendben, ok, oké, értem, remek",
		filler:   "szépen, nagyon, a, az, segítséget, mindent, mindenkinek, csapat, és, kívánok, választ, információt",

		human:     "igazi ember, igazi emberrel, élő ember, ügyfélszolgálat, ügyfélszolgálattal, hívjanak vissza, visszahívást, nem robot, nem bot, fel tudna hívni, felhívna valaki, hívjanak fel",
		humanVerb: "beszélni, beszélnék, beszélhetek, beszélhetnék, csevegni, kapcsolni, kapcsoljon",
		humanWith: "",
		humanNoun: "ember, emberrel, személy, személlyel, munkatárs, munkatárssal, ügyintéző, ügyintézővel, valakivel, valaki, főnök, főnökkel, vezető, vezetővel",
		not:       "nem, ne, soha, nélkül",

		complaint: "panasz, panaszkodni, panaszt, reklamáció, szörnyű, borzalmas, elfogadhatatlan, csalódott, csalódtam, felháborító, udvariatlan, dühös, átverés, rossz kiszolgálás, nem érkezett meg, sérülten érkezett, még mindig várok, elégedetlen",
		booking:   "foglalni, foglalás, foglalnék, időpont, időpontot, asztal, bejelentkezni, áttenni",
		pricing:   "mennyibe kerül, mennyi az ára, mennyibe kerülnek, ár, árak, költség, díj, drága, olcsó, kedvezmény, árajánlat",

		who:      "ki, kik, kié",
		when:     "mikor, hány órakor, hánykor, meddig, mettől, milyen nyitvatartás, melyik nap, mely napokon, melyik évben, milyen dátum",
		where:    "hol, hova, hová, honnan, milyen cím, melyik utcában, melyik városban, melyik országban",
		howMany:  "mennyi, hány, mennyibe, mennyi ideig, hány éves, milyen messze, milyen gyakran, hány százalék",
		followUp: "és, vagy, de, akkor, is, és mi a helyzet",
		related: "nyitva, nyit, nyitnak, nyitás, nyitvatartás, zárva, zár, zárnak, zárás; ár, árak, kerül, költség, díj; cím, utca, található, megtalál; foglalni, foglalás, időpont; szállítás, szállítani, szállítanak, kiszállítás, küldeni; visszaküldés, visszaküldeni, visszatérítés, csere; fizetés, fizetni, kártya, készpénz; " +
			"telefon, hívni, szám, telefonszám; email, e-mail, írni; gyerek, gyermek, baba; kutya, háziállat, állat; szombat, vasárnap, hétvége; vásárolni, rendelni, rendelés; autó, parkoló, parkolni, parkolás; vegetáriánus, vegán",
	},
	{
		language: "ru",
		greeting: "привет, здравствуйте, здравствуй, добрый день, доброе утро, добрый вечер, доброго дня, приветствую, как дела, хай",
		goodbye:  "до свидания, пока, до встречи, всего доброго, всего хорошего, хорошего дня, спокойной ночи, это всё, до завтра, хороших выходных, хорошего вечера, увидимся, до завтра",
		thanks:   "спасибо, большое спасибо, спасибо большое, благодарю, огромное спасибо, отлично, супер, хорошо, ок, понятно, понял, поняла, ясно, прекрасно",
		filler:   "большое, огромное, за, помощь, вам, тебе, всем, команда, и, очень, всё, ответ, информацию, быстрый",

		human:     "живой человек, живым человеком, реальным человеком, настоящим человеком, служба поддержки, перезвоните мне, позвоните мне, не бот, не робот, не с ботом, можете мне позвонить, кто-нибудь может позвонить, перезвоните",
		humanVerb: "поговорить, говорить, соедините, соединить, связаться, переключите, переведите, пообщаться, позовите",
		humanWith: "с, со, на",
		humanNoun: "человек, человеком, оператор, оператором, оператора, сотрудник, сотрудником, менеджер, менеджером, кем-нибудь, специалист, специалистом, администратор, администратором, руководитель, консультант",
		not:       "не, никогда, без",

		complaint: "жалоба, жаловаться, пожаловаться, ужасно, ужасный, кошмар, неприемлемо, разочарован, разочарована, позор, хамство, грубо, злой, обман, мошенники, плохое обслуживание, не пришёл, пришёл сломанным, до сих пор жду, недоволен, недовольна, безобразие",
		booking:   "забронировать, бронь, бронирование, записаться, запись, записать, столик на, перенести",
		pricing:   "сколько стоит, сколько стоят, сколько будет, цена, цены, стоимость, тариф, дорого, дёшево, скидка, прайс",

		who:      "кто, кому, чей, кем, кого",
		when:     "когда, во сколько, до скольки, со скольки, в какое время, какой график, в какой день, в какие дни, в каком году, какого числа",
		where:    "где, куда, откуда, какой адрес, на какой улице, в каком городе, в какой стране",
		howMany:  "сколько, как долго, как часто, как далеко, какой процент, сколько лет, сколько времени",
		followUp: "а, и, или, но, также, тогда, а если, а как",
		related: "открыт, открыты, открывается, открываетесь, открытие, закрыт, закрыты, закрывается, закрываетесь, часы, график, режим, работаете, работы, работает; цена, цены, стоимость, стоит, тариф; адрес, улица, находитесь, находится, расположен; забронировать, бронь, запись, записаться; доставка, доставить, доставляете, отправка; возврат, вернуть, обмен, обменять; " +
			"оплата, оплатить, карта, карту, наличные; телефон, позвонить, номер; почта, email, написать; ребенок, дети, детей, детский; собака, собаки, питомец, животные; суббота, воскресенье, выходные; купить, заказ, заказать, покупка; машина, парковка, стоянка; вегетарианский, веганский",
	},
	{
		language: "tr",
		greeting: "merhaba, merhabalar, selam, selamlar, günaydın, iyi günler, iyi akşamlar, nasılsın, nasılsınız, ne haber, memnun oldum",
		goodbye:  "hoşça kal, hoşçakal, görüşürüz, güle güle, kendine iyi bak, iyi geceler, bu kadar, hoşça kalın, görüşmek üzere, iyi çalışmalar, iyi hafta sonları, iyi haftasonları, yarın görüşürüz, iyi akşamlar dilerim",
		thanks:   "teşekkürler, teşekkür ederim, çok teşekkürler, çok teşekkür ederim, sağ ol, sağol, sağ olun, sağolun, mükemmel, süper, harika, tamam, tamamdır, anladım, ok, eyvallah",
		filler:   "çok, yardımınız, için, herkese, ekip, ve, size, sana, her, şey, bilgi, cevap, yanıt",

		human:     "gerçek bir insan, gerçek insan, gerçek kişi, canlı destek, müşteri hizmetleri, müşteri temsilcisi, beni arayın, beni arar mısınız, bot değil, robot değil, beni arayabilir misiniz, biri beni arayabilir mi",
		humanVerb: "konuşmak, konuşabilir, görüşmek, görüşebilir, bağlayın, bağlanmak, bağlar, aktarın, konuşayım",
		humanWith: "",
		humanNoun: "insan, insanla, kişi, kişiyle, temsilci, temsilciyle, temsilciye, yetkili, yetkiliyle, yetkiliye, biri, biriyle, birine, müdür, müdürle, personel, danışman",
		not:       "değil, istemiyorum, asla, olmadan",

		complaint: "şikayet, şikayetçi, şikayetim, berbat, korkunç, rezalet, kabul edilemez, hayal kırıklığı, saygısız, kızgın, sinirli, dolandırıcılık, kötü hizmet, hiç gelmedi, kırık geldi, hasarlı geldi, hala bekliyorum, memnun değilim",
		booking:   "rezervasyon, randevu, rezervasyon yaptırmak, randevu almak, ayırtmak, kişilik masa, ertelemek",
		pricing:   "ne kadar, kaç para, kaç lira, fiyat, fiyatı, fiyatlar, fiyatları, ücret, ücreti, pahalı, ucuz, indirim, fiyat listesi",

		who:      "kim, kimin, kimler",
		when:     "ne zaman, saat kaçta, kaçta, kaça kadar, hangi saatlerde, hangi gün, hangi günler, hangi yıl, hangi tarih",
		where:    "nerede, nereye, nereden, neresi, adres ne, adresiniz ne, hangi cadde, hangi şehir, hangi ülke",
		howMany:  "ne kadar, kaç, kaç tane, kaç yaşında, ne kadar sürer, yüzde kaç, ne sıklıkla",
		followUp: "ve, peki, veya, ama, ya, o zaman, peki ya",
		related: "açık, açılış, açılıyor, açıyorsunuz, kapalı, kapanış, kapanıyor, kapatıyorsunuz, saatleri, çalışma; fiyat, fiyatı, ücret, ücreti, kaç; adres, adresi, cadde, sokak, konum, bulunur; rezervasyon, randevu; teslimat, kargo, gönderim, gönderiyor; iade, değişim, geri; ödeme, ödemek, kart, nakit, kredi; " +
			"telefon, aramak, numara; e-posta, mail, yazmak; çocuk, çocuklar, bebek; köpek, köpekler, evcil, hayvan; cumartesi, pazar, hafta sonu; satın, sipariş, almak; araba, otopark, park; vejetaryen, vegan",
	},
	{
		language: "ar",
		greeting: "مرحبا, مرحباً, أهلا, اهلا, أهلا وسهلا, السلام عليكم, صباح الخير, مساء الخير, كيف حالك, كيف الحال, هاي, سلام",
		goodbye:  "مع السلامة, وداعا, إلى اللقاء, الى اللقاء, تصبح على خير, أراك لاحقا, هذا كل شيء, يومك سعيد, في أمان الله, عطلة سعيدة, أراك غدا, نراكم غدا",
		thanks:   "شكرا, شكراً, شكرا جزيلا, شكرا لك, شكرا لكم, أشكرك, مشكور, ممتاز, رائع, تمام, حسنا, فهمت, جيد",
		filler:   "جزيلا, لك, لكم, على, المساعدة, مساعدتك, جدا, كثيرا, للجميع, و, يا, الرد, المعلومات",

		human:     "شخص حقيقي, إنسان حقيقي, موظف حقيقي, خدمة العملاء, اتصلوا بي, اتصل بي, ليس روبوت, هل يمكن لأحد أن يتصل بي",
		humanVerb: "أتحدث, التحدث, اتحدث, أتكلم, التكلم, اتكلم, أتواصل, التواصل, تحويلي, حولني, أكلم",
		humanWith: "مع, إلى, الى",
		humanNoun: "شخص, إنسان, انسان, موظف, أحد, احد, مندوب, ممثل, مدير, المدير, مسؤول, المسؤول, بشري",
		not:       "لا, ليس, لن, بدون",

		complaint: "شكوى, أشتكي, اشتكي, سيء, سيئة, فظيع, رهيب, غير مقبول, محبط, خيبة أمل, فضيحة, وقح, غاضب, احتيال, نصب, خدمة سيئة, لم يصل, وصل مكسور, ما زلت أنتظر, غير راض",
		booking:   "حجز, أحجز, احجز, موعد, حجز موعد, طاولة, تأجيل",
		pricing:   "كم السعر, كم سعر, كم يكلف, كم تكلفة, بكم, سعر, أسعار, اسعار, الأسعار, تكلفة, رسوم, غالي, رخيص, خصم, عرض سعر",

		who:      "من هو, من هي, من الذي, لمن",
		when:     "متى, في أي ساعة, أي ساعة, الساعة كم, حتى متى, أي يوم, في أي عام, أي سنة, أي تاريخ",
		where:    "أين, اين, إلى أين, ما العنوان, أي شارع, أي مدينة, أي بلد",
		howMany:  "كم, كم عدد, كم مدة, كم عمر, ما نسبة, كم المدة",
		followUp: "و, أو, لكن, أيضا, وماذا عن, ماذا عن, إذن",
		related: "مفتوح, تفتحون, يفتح, تفتح, فتح, مغلق, تغلقون, يغلق, تغلق, إغلاق, ساعات, دوام, العمل; سعر, أسعار, تكلفة, يكلف, رسوم; عنوان, شارع, موقع, يقع; حجز, موعد; توصيل, شحن, إرسال; إرجاع, استرجاع, استبدال, استرداد; دفع, بطاقة, نقدا, الدفع; " +
			"هاتف, اتصال, رقم; بريد, إيميل, كتابة; طفل, أطفال, رضيع; كلب, كلاب, حيوان, حيوانات; السبت, الأحد, عطلة; شراء, طلب; سيارة, موقف, مواقف; نباتي",
	},
}
