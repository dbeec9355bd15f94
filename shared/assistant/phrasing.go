package assistant

import (
	"slices"

	"frontdesk/shared/text"
)

// A phrasing is how people say in one language what the deciders listen for: words and phrases with commas between.
type phrasing struct {
	language string

	yes, no  string // as an answer
	cancel   string // what was begun
	courtesy string // says nothing by itself

	contact string // stands around a name, an address or a number, and says nothing beside it
	name    string // stands before the speaker's name
	prefer  string // begins what the speaker prefers, or cannot have

	whoAreYou string
	open, now string // "Are you open now?" has one of each

	have  string // asks for something that the business may sell
	order string // wants to buy
	want  string // wants something

	// titles say what the fields of a business are, with words that people ask with: opening hours; address; e-mail
	// address; phone number; website; services; offers.
	titles string
}

// phrasings costs nothing at the start of a process: the compiler lays the table out.
var phrasings = [...]phrasing{
	{
		"en",
		"yes, yeah, yep, yup, sure, ok, okay, of course, please do, go ahead, certainly, that would be great, sounds good, alright, all right", "no, nope, no thanks, no thank you, not now, rather not, i'd rather not, don't want",
		"cancel, stop, never mind, nevermind, forget it, quit, skip it, forget about it, leave it, doesn't matter, changed my mind", "please, thanks, thank, you, now, me, my",
		"hi, hello, hey, email, e-mail, mail, address, phone, number, telephone, mobile, cell, reach, contact, call, write, at, name, here",
		"my name is, my name's, i am called, i'm called", "i prefer, i'd prefer, i would prefer, i'm allergic to, i am allergic to, i don't eat, i can't eat, i'm vegan, i am vegan, i'm vegetarian, i am vegetarian",
		"who are you, what is your name, what's your name, your name, are you a bot, are you a robot, are you human, are you a human, are you a person, are you real, are you a machine, am i talking to a bot, am i talking to a person, am i speaking to a bot, are you an ai",
		"open, closed, opening hours, opening times, hours", "now, right now, currently, at the moment, still, already, today",
		"do you have, do you sell, have you got, do you stock, in stock, available, do you offer, you got, sell, i am looking for, i'm looking for, i need", "order, buy, purchase, i'll take, i will take",
		"I want, I'd like, I would like, I wish, I need, we want, we'd like, we would like, we need, can I have, could I have, can I get, could I get, may I have, can we have, could we have, looking to",
		"Opening hours: when are you open?; Address: where are you?; E-mail contact; Phone number, call; Website; Services: what do you offer?; Current offers, promotions, deals and discounts",
	},
	{
		"es",
		"sí, si, claro, vale, ok, por supuesto, de acuerdo, adelante, bueno, perfecto", "no, no gracias, ahora no, mejor no, prefiero no",
		"cancelar, cancela, déjalo, olvídalo, parar, basta, déjelo, da igual, olvídelo, no importa, ya no", "por, favor, gracias, ya",
		"hola, correo, email, mail, dirección, electrónico, teléfono, número, móvil, celular, llamar, llámenme, contacto, nombre, escribir",
		"me llamo, mi nombre es", "prefiero, soy alérgico a, soy alérgica a, tengo alergia a, no como, no puedo comer, soy vegano, soy vegana, soy vegetariano, soy vegetariana",
		"quién eres, quién es usted, cómo te llamas, cómo se llama, cuál es tu nombre, eres un bot, eres un robot, eres humano, eres una persona, es usted un robot, estoy hablando con un robot, eres un robot, es un robot, es un bot, eres un bot, es usted una persona",
		"abierto, abiertos, abren, cerrado, cerrados, abre, abrís, cierra, cierran, horario, horarios", "ahora, ahora mismo, en este momento, todavía, ya, hoy",
		"tienen, tenéis, tienes, venden, vendéis, hay, disponible, en stock, ofrecen, busco, necesito", "pedir, comprar, encargar, me llevo, quiero el, quiero la",
		"quiero, quisiera, querría, me gustaría, necesito, queremos, quisiéramos, nos gustaría, necesitamos, puedo, podría, podemos, podríamos",
		"Horario: ¿a qué hora abren y cierran?; Dirección: ¿dónde están?; Correo electrónico, e-mail; Número de teléfono, llamar; Página web, sitio; Servicios: ¿qué ofrecen?; Ofertas, promociones y descuentos actuales",
	},
	{
		"fr",
		"oui, ouais, d'accord, ok, bien sûr, volontiers, avec plaisir, allez-y, vas-y, parfait", "non, non merci, pas maintenant, plutôt pas, je préfère pas",
		"annuler, annule, laissez tomber, laisse tomber, arrêter, arrêtez, oubliez, tant pis, ça ne fait rien, peu importe", "s'il, vous, plaît, te, merci",
		"bonjour, salut, email, e-mail, mail, adresse, courriel, téléphone, numéro, portable, joindre, appeler, contact, nom",
		"je m'appelle, mon nom est", "je préfère, je suis allergique, je ne mange pas, je suis végétarien, je suis végétarienne, je suis végan",
		"qui êtes-vous, qui es-tu, comment vous appelez-vous, comment tu t'appelles, quel est votre nom, quel est ton nom, êtes-vous un robot, es-tu un robot, êtes-vous humain, es-tu humain, je parle à un robot, vous êtes un robot, tu es un robot, t'es un robot, vous êtes un bot, tu es un bot, vous êtes humain",
		"ouvert, ouverts, ouverte, fermé, fermés, ouvrez, fermez, horaires, horaire", "maintenant, en ce moment, actuellement, encore, déjà, aujourd'hui",
		"avez-vous, vous avez, tu as, vendez-vous, vous vendez, disponible, en stock, proposez-vous, je cherche, j'ai besoin", "commander, acheter, je prends, je voudrais commander",
		"je veux, je voudrais, j'aimerais, je souhaite, je souhaiterais, j'ai besoin, il me faut, il me faudrait, nous voudrions, on voudrait, est-ce que je peux, puis-je, je peux",
		"Horaires : quand êtes-vous ouverts ?; Adresse : où êtes-vous ?; Adresse e-mail, courriel; Numéro de téléphone, appeler; Site web; Services : que proposez-vous ?; Offres, promotions et remises du moment",
	},
	{
		"de",
		"ja, jo, klar, gern, gerne, ok, okay, natürlich, sicher, einverstanden, bitte ja, mach das, machen Sie das", "nein, nee, nein danke, jetzt nicht, lieber nicht, möchte ich nicht",
		"abbrechen, stopp, stop, vergiss es, vergessen Sie es, egal, lass es, lassen Sie es, lassen wir das, schon gut, hat sich erledigt", "bitte, danke, mal, jetzt",
		"hallo, hi, guten, Tag, E-Mail, Email, Mail, Adresse, Telefon, Telefonnummer, Nummer, Handy, erreichen, erreichbar, anrufen, Name, unter",
		"ich heiße, ich heisse, mein Name ist, mein Name lautet", "ich bevorzuge, mir ist lieber, ich bin allergisch gegen, ich esse kein, ich esse keine, ich esse keinen, ich bin Veganer, ich bin Veganerin, ich bin Vegetarier, ich bin Vegetarierin, ich bin vegan",
		"wer bist du, wer sind Sie, wie heißt du, wie heißen Sie, wie ist dein Name, wie ist Ihr Name, bist du ein Bot, bist du ein Roboter, bist du ein Mensch, sind Sie ein Mensch, sind Sie ein Roboter, spreche ich mit einem Menschen, rede ich mit einem Bot, ist das ein Bot, ist das ein Roboter, sind Sie ein Bot",
		"offen, geöffnet, auf, geschlossen, zu, Öffnungszeiten, Sprechzeiten, Sprechstunde, Sprechstunden", "jetzt, gerade, im Moment, momentan, noch, schon, heute",
		"habt ihr, haben Sie, gibt es, verkauft ihr, verkaufen Sie, führt ihr, führen Sie, vorrätig, verfügbar, lieferbar, ich suche, ich brauche", "bestellen, kaufen, ich nehme",
		"ich will, ich möchte, ich hätte, ich brauche, ich bräuchte, wir wollen, wir möchten, wir hätten, wir brauchen, kann ich, könnte ich, können wir, könnten wir, ich würde",
		"Öffnungszeiten: Wann ist geöffnet?; Adresse: Wo finde ich Sie?; E-Mail-Adresse; Telefonnummer, anrufen; Website; Leistungen: Was bieten Sie an?; Aktuelle Angebote, Aktionen und Rabatte",
	},
	{
		"it",
		"sì, si, certo, ok, va bene, volentieri, d'accordo, certamente, perfetto", "no, no grazie, non ora, meglio di no, preferisco di no",
		"annulla, annullare, lascia stare, lasci stare, basta, fermati, non importa, fa niente, come non detto", "per, favore, grazie, ora",
		"ciao, salve, buongiorno, email, mail, indirizzo, telefono, numero, cellulare, chiamare, contatto, nome, posta",
		"mi chiamo, il mio nome è", "preferisco, sono allergico a, sono allergica a, non mangio, sono vegano, sono vegana, sono vegetariano, sono vegetariana",
		"chi sei, chi è lei, come ti chiami, come si chiama, qual è il tuo nome, sei un bot, sei un robot, sei umano, sei una persona, parlo con un robot, è un robot, è un bot, lei è un robot",
		"aperto, aperti, chiuso, chiusi, aprite, chiudete, orario, orari", "ora, adesso, in questo momento, ancora, già, oggi",
		"avete, hai, vendete, disponibile, disponibili, c'è, ci sono, cerco, ho bisogno", "ordinare, comprare, acquistare, prendo",
		"voglio, vorrei, mi piacerebbe, ho bisogno, mi serve, vogliamo, vorremmo, posso, potrei, possiamo, potremmo",
		"Orari: quando siete aperti?; Indirizzo: dove siete?; Indirizzo e-mail, posta; Numero di telefono, chiamare; Sito web; Servizi: che cosa offrite?; Offerte e sconti attuali",
	},
	{
		"pt",
		"sim, claro, ok, está bem, pode ser, com certeza, por favor sim, perfeito", "não, não obrigado, não obrigada, agora não, prefiro não",
		"cancelar, cancela, esquece, esqueça, deixa, parar, deixe, não importa, tanto faz", "por, favor, obrigado, obrigada",
		"olá, oi, bom, dia, email, e-mail, mail, endereço, telefone, telemóvel, celular, número, ligar, contacto, contato, nome",
		"chamo-me, me chamo, meu nome é, o meu nome é", "prefiro, sou alérgico a, sou alérgica a, não como, sou vegano, sou vegana, sou vegetariano, sou vegetariana",
		"quem és, quem é você, como te chamas, qual é o seu nome, qual é o teu nome, és um bot, você é um robô, és um robô, é humano, você é humano, estou a falar com um robô, és um robot, é um robô, é um bot",
		"aberto, abertos, fechado, fechados, abrem, fecham, horário, horários", "agora, neste momento, ainda, já, hoje",
		"têm, tem, vendem, há, disponível, em stock, em estoque, procuro, preciso", "encomendar, comprar, pedir, levo",
		"quero, queria, gostaria, gostava, preciso, queremos, queríamos, gostaríamos, precisamos, posso, poderia, podemos",
		"Horário: a que horas abrem?; Morada, endereço: onde ficam?; E-mail, correio; Número de telefone, ligar; Site, página; Serviços: o que oferecem?; Ofertas, promoções e descontos atuais",
	},
	{
		"nl",
		"ja, jazeker, graag, ok, oké, prima, natuurlijk, zeker, is goed", "nee, nee bedankt, nu niet, liever niet",
		"annuleren, stop, laat maar, vergeet het, maakt niet uit, hoeft niet meer", "alsjeblieft, alstublieft, bedankt, dank, je, u, nu",
		"hallo, hoi, email, e-mail, mail, adres, e-mailadres, telefoon, telefoonnummer, nummer, mobiel, bereiken, bellen, naam",
		"ik heet, mijn naam is", "ik heb liever, ik ben allergisch voor, ik eet geen, ik ben veganist, ik ben vegetariër",
		"wie ben je, wie bent u, hoe heet je, hoe heet u, wat is je naam, ben je een bot, ben je een robot, ben je een mens, bent u een mens, spreek ik met een robot",
		"open, geopend, gesloten, dicht, openingstijden, openingsuren", "nu, op dit moment, momenteel, nog, al, vandaag",
		"heb je, hebben jullie, heeft u, verkopen jullie, verkoopt u, op voorraad, beschikbaar, ik zoek, ik heb nodig", "bestellen, kopen, ik neem",
		"ik wil, ik wou, ik zou graag, ik heb nodig, wij willen, we willen, kan ik, mag ik, kunnen we",
		"Openingstijden: wanneer bent u open?; Adres: waar vind ik u, waar zitten jullie?; E-mailadres; Telefoonnummer, bellen; Website; Diensten: wat biedt u aan?; Aanbiedingen, acties en kortingen",
	},
	{
		"sv",
		"ja, japp, gärna, ok, okej, visst, absolut, självklart", "nej, nej tack, inte nu, helst inte",
		"avbryt, stopp, strunt i det, glöm det, det gör inget, lägg ner det", "tack, snälla, nu",
		"hej, hallå, e-post, epost, mejl, mail, adress, telefon, telefonnummer, nummer, mobil, nå, ring, namn",
		"jag heter, mitt namn är", "jag föredrar, jag är allergisk mot, jag äter inte, jag är vegan, jag är vegetarian",
		"vem är du, vad heter du, är du en bot, är du en robot, är du en människa, pratar jag med en robot",
		"öppet, öppna, stängt, stängda, öppettider", "nu, just nu, fortfarande, redan, idag, i dag",
		"har ni, har du, säljer ni, finns, i lager, tillgänglig, jag letar efter, jag behöver", "beställa, köpa, jag tar",
		"jag vill, jag skulle vilja, jag behöver, vi vill, vi skulle vilja, vi behöver, kan jag, kan vi",
		"Öppettider: när har ni öppet?; Adress: var ligger ni?; E-postadress, mejl; Telefonnummer, ringa; Webbplats, hemsida; Tjänster: vad erbjuder ni?; Erbjudanden och rabatter",
	},
	{
		"da",
		"ja, jo, gerne, ok, okay, selvfølgelig, naturligvis, fint", "nej, nej tak, ikke nu, helst ikke",
		"annuller, stop, glem det, lad være, det er lige meget", "tak, venligst, nu",
		"hej, e-mail, email, mail, adresse, telefon, telefonnummer, nummer, mobil, ring, kontakt, navn",
		"jeg hedder, mit navn er", "jeg foretrækker, jeg er allergisk over for, jeg spiser ikke, jeg er veganer, jeg er vegetar",
		"hvem er du, hvad hedder du, er du en bot, er du en robot, er du et menneske, taler jeg med en robot",
		"åbent, åbne, lukket, åbningstider", "nu, lige nu, stadig, allerede, i dag",
		"har I, har du, sælger I, findes, på lager, jeg leder efter, jeg søger, jeg har brug for", "bestille, købe, jeg tager",
		"jeg vil, jeg vil gerne, jeg ønsker, jeg har brug for, vi vil, vi vil gerne, kan jeg, kan vi",
		"Åbningstider: hvornår har I åbent?; Adresse: hvor ligger I?; E-mailadresse; Telefonnummer, ringe; Hjemmeside; Ydelser: hvad tilbyder I?; Tilbud og rabatter",
	},
	{
		"no",
		"ja, jo, gjerne, ok, okei, selvfølgelig, greit, fint", "nei, nei takk, ikke nå, helst ikke",
		"avbryt, stopp, glem det, det samme for meg, bare glem det", "takk, vennligst, nå",
		"hei, e-post, epost, mail, adresse, telefon, telefonnummer, nummer, mobil, ring, kontakt, navn",
		"jeg heter, mitt navn er, navnet mitt er", "jeg foretrekker, jeg er allergisk mot, jeg spiser ikke, jeg er veganer, jeg er vegetarianer",
		"hvem er du, hva heter du, er du en bot, er du en robot, er du et menneske, snakker jeg med en robot",
		"åpent, åpne, stengt, åpningstider", "nå, akkurat nå, fortsatt, allerede, i dag",
		"har dere, har du, selger dere, finnes, på lager, jeg leter etter, jeg ser etter, jeg trenger", "bestille, kjøpe, jeg tar",
		"jeg vil, jeg vil gjerne, jeg ønsker, jeg trenger, vi vil, vi vil gjerne, vi trenger, kan jeg, kan vi",
		"Åpningstider: når har dere åpent?; Adresse: hvor ligger dere?; E-postadresse; Telefonnummer, ringe; Nettside; Tjenester: hva tilbyr dere?; Tilbud og rabatter",
	},
	{
		"fi",
		"kyllä, joo, juu, ok, okei, mielellään, totta kai, toki", "ei, ei kiitos, ei nyt, mieluummin en",
		"peruuta, lopeta, unohda, antaa olla, ei sittenkään, ei väliä", "kiitos, ole, hyvä, nyt",
		"hei, moi, sähköposti, sähköpostini, osoite, puhelin, puhelinnumero, numero, numeroni, nimi",
		"nimeni on, minun nimeni on", "haluan mieluummin, olen allerginen, en syö, olen vegaani, olen kasvissyöjä",
		"kuka sinä olet, kuka olet, mikä sinun nimesi on, mikä nimesi on, oletko botti, oletko robotti, oletko ihminen, puhunko robotin kanssa",
		"auki, avoinna, kiinni, suljettu, aukioloaika, aukioloajat", "nyt, juuri nyt, vielä, jo, tänään",
		"onko teillä, myyttekö, saatavilla, varastossa, etsin, tarvitsen", "tilata, ostaa, otan",
		"haluan, haluaisin, tarvitsen, tarvitsisin, haluamme, haluaisimme, voinko, voisinko, voimmeko",
		"Aukioloajat: milloin olette auki?; Osoite: missä olette?; Sähköpostiosoite; Puhelinnumero, soittaa; Verkkosivut; Palvelut: mitä tarjoatte?; Tarjoukset ja alennukset",
	},
	{
		"ro",
		"da, sigur, ok, bine, desigur, cu plăcere, de acord", "nu, nu mulțumesc, nu acum, mai bine nu",
		"anulează, anulare, stop, las-o, lasă, renunț, nu contează, lăsați", "te, vă, rog, mulțumesc, acum",
		"bună, salut, email, e-mail, mail, adresă, adresa, telefon, număr, numărul, contact, nume, suna",
		"mă numesc, numele meu este, mă cheamă", "prefer, sunt alergic la, sunt alergică la, nu mănânc, sunt vegan, sunt vegană, sunt vegetarian, sunt vegetariană",
		"cine ești, cine sunteți, cum te numești, cum te cheamă, care este numele tău, ești un bot, ești un robot, ești om, sunteți un robot, vorbesc cu un robot",
		"deschis, deschiși, închis, închiși, deschideți, închideți, program, programul, orar", "acum, chiar acum, în acest moment, încă, deja, azi, astăzi",
		"aveți, ai, vindeți, există, disponibil, în stoc, caut, am nevoie", "comanda, comand, cumpăra, cumpăr, iau",
		"vreau, aș vrea, aș dori, doresc, am nevoie, vrem, am dori, pot, aș putea, putem",
		"Program: la ce oră deschideți?; Adresă: unde vă găsesc?; Adresă de e-mail; Număr de telefon, suna; Site web; Servicii: ce oferiți?; Oferte și reduceri",
	},
	{
		"hu",
		"igen, persze, ok, oké, rendben, kérem, jó, szívesen", "nem, nem köszönöm, most nem, inkább nem",
		"mégse, mégsem, stop, hagyjuk, felejtsd el, törlés, nem érdekes, mindegy", "kérem, kérlek, köszönöm, most",
		"szia, helló, email, e-mail, mail, cím, címem, telefon, telefonszám, telefonszámom, szám, számom, név",
		"a nevem, nevem", "jobban szeretem, allergiás vagyok, nem eszem, vegán vagyok, vegetáriánus vagyok",
		"ki vagy, kicsoda ön, hogy hívnak, hogy hívják, mi a neved, te bot vagy, robot vagy, ember vagy, robottal beszélek",
		"nyitva, zárva, nyitvatartás, nyitnak, zárnak", "most, éppen most, jelenleg, még, már, ma",
		"van, árulnak, árultok, kapható, raktáron, elérhető, keresek, szükségem van", "rendelni, rendelek, venni, vásárolni, veszek",
		"szeretnék, szeretnénk, kérek, kérnék, kell, kérünk",
		"Nyitvatartás: mikor vannak nyitva?; Cím: hol találom?; E-mail-cím; Telefonszám, hívni; Weboldal; Szolgáltatások: mit kínálnak?; Ajánlatok és kedvezmények",
	},
	{
		"ru",
		"да, ага, конечно, хорошо, ок, окей, давайте, давай, пожалуйста да", "нет, нет спасибо, не сейчас, лучше нет, не надо, не хочу",
		"отмена, отменить, стоп, забудь, забудьте, неважно, не важно, ничего", "пожалуйста, спасибо, сейчас",
		"привет, здравствуйте, почта, email, mail, адрес, телефон, номер, связаться, позвонить, имя",
		"меня зовут, моё имя, мое имя", "я предпочитаю, у меня аллергия на, я не ем, я веган, я вегетарианец, я вегетарианка",
		"кто ты, кто вы, как тебя зовут, как вас зовут, ты бот, вы бот, ты робот, вы робот, ты человек, вы человек, я говорю с роботом",
		"открыты, открыто, работаете, закрыты, закрыто, часы работы, график работы, режим работы", "сейчас, прямо сейчас, ещё, еще, уже, сегодня",
		"у вас есть, есть ли, продаёте, продаете, в наличии, ищу, мне нужен, мне нужна, мне нужно", "заказать, купить, беру, возьму",
		"хочу, хотел бы, хотела бы, хотим, мне нужно, мне нужна, мне нужен, можно, могу ли я",
		"Часы работы: когда вы открыты?; Адрес: где вы находитесь?; Электронная почта; Номер телефона, позвонить; Сайт; Услуги: что вы предлагаете?; Акции и скидки",
	},
	{
		"tr",
		"evet, olur, tamam, tabii, elbette, lütfen evet, peki", "hayır, yok, hayır teşekkürler, şimdi değil, istemiyorum",
		"iptal, dur, boş ver, vazgeçtim, unut, önemli değil, fark etmez", "lütfen, teşekkürler, şimdi",
		"merhaba, selam, eposta, e-posta, mail, adres, adresim, telefon, numara, numaram, cep, isim",
		"benim adım, adım, ismim", "tercih ederim, alerjim var, veganım, vejetaryenim",
		"sen kimsin, siz kimsiniz, adın ne, adınız ne, bot musun, robot musun, insan mısın, robotla mı konuşuyorum",
		"açık, açıksınız, açık mısınız, kapalı, çalışma saatleri, açılış, kapanış", "şimdi, şu anda, şu an, hâlâ, hala, bugün",
		"var mı, satıyor musunuz, satıyor, stokta, mevcut, arıyorum, ihtiyacım var", "sipariş, satın almak, almak istiyorum, alıyorum",
		"istiyorum, isterim, ihtiyacım var, istiyoruz, isteriz, alabilir miyim, alabilir miyiz",
		"Çalışma saatleri, saatleriniz nedir: ne zaman açıksınız, saat kaçta kapanıyorsunuz?; Adres, adresiniz: neredesiniz, nerede?; E-posta adresi; Telefon numarası, aramak; Web sitesi; Hizmetler: ne sunuyorsunuz?; Kampanyalar ve indirimler",
	},
	{
		"ar",
		"نعم, أجل, أكيد, حسنا, موافق, تمام, بالطبع", "لا, لا شكرا, ليس الآن, لا أريد",
		"إلغاء, ألغ, توقف, انس الأمر, لا يهم, لا بأس", "من, فضلك, شكرا, الآن",
		"مرحبا, بريد, بريدي, الإلكتروني, إيميل, عنوان, هاتف, هاتفي, رقم, رقمي, جوال, اسم",
		"اسمي, أنا اسمي", "أفضل, عندي حساسية من, لا آكل, أنا نباتي, أنا نباتية",
		"من أنت, ما اسمك, هل أنت روبوت, هل أنت إنسان, هل أنت آلي, هل أتحدث مع روبوت",
		"مفتوح, مفتوحون, تفتحون, مغلق, تغلقون, ساعات العمل, أوقات العمل", "الآن, حاليا, في هذه اللحظة, ما زلتم, اليوم",
		"هل لديكم, هل عندكم, لديكم, عندكم, تبيعون, متوفر, أبحث عن, أحتاج", "أطلب, طلب, شراء, أشتري, آخذ",
		"أريد, أود, أرغب, أحتاج, نريد, نود, هل يمكنني, ممكن",
		"ساعات العمل: متى تفتحون؟; العنوان: أين أنتم؟; البريد الإلكتروني; رقم الهاتف; الموقع; الخدمات: ماذا تقدمون؟; العروض والخصومات",
	},
}

// phrasingOf is that of a language, English for one without any.
func phrasingOf(language string) *phrasing {
	for i := range phrasings {
		if phrasings[i].language == language {
			return &phrasings[i]
		}
	}
	return &phrasings[0]
}

func (s *state) phrasing() *phrasing { return phrasingOf(s.language()) }

// find returns where one of the list's phrases stands in the message, and its length; 0 where none does.
func (s *state) find(list string) (at, length int) {
	return text.Find(text.Phrases(s.language(), list), s.reading.Tokens)
}

// says reports whether one of the list's phrases stands in the message.
func (s *state) says(list string) bool {
	_, n := s.find(list)
	return n > 0
}

// shortAnswer is the most words of a message that is a yes or a no.
const shortAnswer = 5

// agrees reports whether the message says yes, and refuses whether it says no, to what was asked before it.
func (s *state) agrees() bool { return s.answers(s.phrasing().yes) }

func (s *state) refuses() bool { return s.answers(s.phrasing().no) }

func (s *state) answers(list string) bool {
	at, n := s.find(list)
	return n > 0 && at == 0 && len(s.reading.Tokens) <= shortAnswer && !s.reading.Asks
}

// answersIn is answers for phrases of another language than the agent's.
func (s *state) answersIn(language, list string) bool {
	tokens := text.Tokens(language, s.message.Text)
	at, n := text.Find(text.Phrases(language, list), tokens)
	return n > 0 && at == 0 && len(tokens) <= shortAnswer
}

// is reports whether the message is one of the list's phrases, with nothing but politeness around it.
func (s *state) is(list string) bool {
	polite := text.Phrases(s.language(), s.phrasing().courtesy)
	phrases := text.Phrases(s.language(), list)
	at, n := text.Find(phrases, s.reading.Tokens)
	if n == 0 {
		return false
	}
	around := slices.Concat(s.reading.Tokens[:at], s.reading.Tokens[at+n:])
	return !slices.ContainsFunc(around, func(t text.Token) bool {
		return !slices.ContainsFunc(polite, func(p text.Phrase) bool { return len(p) == 1 && p[0] == t.Stem })
	})
}
