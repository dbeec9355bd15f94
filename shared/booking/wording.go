package booking

// A wording is what the agent says of appointments in one language, and what it listens for. The sentences suit every
// tone: they address nobody familiarly or formally. %s stands for what the names of the fields tell, in that order; a
// time is one of when.Write.
type wording struct {
	language string

	appointment string // what one is called that is of no service
	entry       string // title, time
	askService  string // services
	askTime     string
	offer       string // before a list of times
	taken       string // time
	fullThen    string
	full        string
	confirm     string // title, time
	forTime     string // time; before one of the next three
	askDetails  string
	askReach    string
	askName     string
	booked      string // title, time
	noted       string // title, time
	dropped     string
	none        string
	which       string // before a list of appointments
	askCancel   string // entry
	cancelled   string // entry
	askMove     string // entry
	confirmMove string // title, time
	moved       string // title, time
	kept        string

	// Words and phrases with commas between. The ordinals are groups with semicolons between.
	noun, cancel, move, ordinals, last string
	// mine stands before the noun, or is its form, where it is the contact's own.
	mine string
	// instead is what says, behind an appointment that was just made, that another time is wanted.
	instead string
}

// wordings costs nothing at the start of a process: the compiler lays the table out.
var wordings = [...]wording{
	{
		"en", "Appointment", "%s, %s",
		"What is it for? We offer: %s.", "Which day and time would suit?", "These times are free:", "%s is not free.",
		"There is nothing free then.", "There is nothing free then. Which other day and time would suit?",
		"%s, %s: that is free. Shall I book it?", "%s is free.",
		"What name shall I put it under, and what is a phone number or e-mail address?",
		"What is a phone number or e-mail address, in case something changes?", "What name shall I put it under?",
		"Booked: %s, %s. See you then!", "Noted: %s, %s. A colleague will confirm it.", "All right, nothing is booked.",
		"I find no coming appointment here.", "Which one?", "%s: shall I cancel it?", "Cancelled: %s.",
		"It is now: %s. Which day and time would suit instead?", "%s: shall I move it to %s?", "Moved: %s, now %s.", "All right, it stays as it is.",
		"appointment, booking, reservation, table, slot, visit", "cancel, call off, can't make it, cannot make it, can't come, cannot come",
		"reschedule, move, postpone, change my appointment, change my booking, change my reservation, change the time, another time, different time, bring forward",
		"first, first one, the earlier; second, second one; third, third one", "last, last one, latest",
		"my, our",
		"instead, rather, make it, can we do, could we do, better, change, move, later, earlier",
	},
	{
		"es", "Cita", "%s, %s",
		"¿Para qué es? Ofrecemos: %s.", "¿Qué día y a qué hora viene bien?", "Hay sitio a estas horas:", "El %s no está libre.",
		"Entonces no queda nada libre.", "Entonces no queda nada libre. ¿Qué otro día y hora viene bien?",
		"%s, %s: está libre. ¿Lo reservo?", "El %s está libre.",
		"¿A qué nombre lo reservo, y cuál es un teléfono o correo electrónico?",
		"¿Cuál es un teléfono o correo electrónico, por si cambia algo?", "¿A qué nombre lo reservo?",
		"Reservado: %s, %s. ¡Hasta entonces!", "Anotado: %s, %s. Una persona del equipo lo confirmará.", "De acuerdo, no queda nada reservado.",
		"No encuentro aquí ninguna cita próxima.", "¿Cuál de ellas?", "%s: ¿la cancelo?", "Cancelado: %s.",
		"Ahora es: %s. ¿Qué otro día y hora viene bien?", "%s: ¿la cambio al %s?", "Cambiado: %s, ahora %s.", "De acuerdo, se queda como está.",
		"cita, reserva, turno, mesa, hora", "cancelar, cancela, anular, anula, no puedo ir, no podré ir, no puedo venir",
		"cambiar, cambia, mover, aplazar, posponer, otra hora, otro día, reprogramar, adelantar",
		"primera, primero, la primera, el primero; segunda, segundo, la segunda, el segundo; tercera, tercero, la tercera, el tercero", "última, último, la última",
		"mi, mis, nuestra, nuestro, tengo",
		"mejor, en vez, en lugar, puede ser, podría ser, cambiar, más tarde, más temprano, antes",
	},
	{
		"fr", "Rendez-vous", "%s, %s",
		"C'est pour quoi ? Nous proposons : %s.", "Quel jour et quelle heure conviendraient ?", "Ces horaires sont libres :", "%s n'est pas libre.",
		"Il ne reste rien à ce moment-là.", "Il ne reste rien à ce moment-là. Quel autre jour et quelle autre heure conviendraient ?",
		"%s, %s : c'est libre. Faut-il réserver ?", "%s : c'est libre.",
		"À quel nom, et à quel numéro de téléphone ou quelle adresse e-mail ?",
		"À quel numéro de téléphone ou quelle adresse e-mail, en cas de changement ?", "À quel nom ?",
		"C'est réservé : %s, %s. À bientôt !", "C'est noté : %s, %s. Un collègue le confirmera.", "D'accord, rien n'est réservé.",
		"Je ne trouve aucun rendez-vous à venir ici.", "Lequel ?", "%s : faut-il l'annuler ?", "Annulé : %s.",
		"Pour l'instant : %s. Quel autre jour et quelle autre heure conviendraient ?", "%s : faut-il le déplacer au %s ?", "Déplacé : %s, maintenant %s.", "D'accord, rien ne change.",
		"rendez-vous, rdv, réservation, table, créneau", "annuler, annule, annulez, annulation, je ne peux pas venir, je ne pourrai pas venir, empêché, empêchée",
		"déplacer, décaler, reporter, changer, modifier, une autre heure, un autre jour, avancer",
		"premier, première, le premier; deuxième, second, seconde, le deuxième; troisième, le troisième", "dernier, dernière, le dernier",
		"mon, ma, mes, notre",
		"plutôt, à la place, finalement, c'est possible, ça serait possible, serait possible, plus tard, plus tôt",
	},
	{
		"de", "Termin", "%s, %s",
		"Worum geht es? Wir bieten an: %s.", "Welcher Tag und welche Uhrzeit passen?", "Diese Zeiten sind frei:", "%s ist nicht frei.",
		"Dann ist nichts mehr frei.", "Dann ist nichts mehr frei. Welcher andere Tag und welche Uhrzeit passen?",
		"%s, %s: Das ist frei. Soll ich es eintragen?", "%s ist frei.",
		"Auf welchen Namen, und wie lautet eine Telefonnummer oder E-Mail-Adresse?",
		"Wie lautet eine Telefonnummer oder E-Mail-Adresse, falls sich etwas ändert?", "Auf welchen Namen?",
		"Eingetragen: %s, %s. Bis dann!", "Notiert: %s, %s. Jemand aus dem Team bestätigt es noch.", "In Ordnung, es ist nichts eingetragen.",
		"Ich finde hier keinen kommenden Termin.", "Welcher davon?", "%s: Soll ich absagen?", "Abgesagt: %s.",
		"Bisher: %s. Welcher Tag und welche Uhrzeit passen stattdessen?", "%s: Soll ich auf %s verschieben?", "Verschoben: %s, jetzt %s.", "In Ordnung, es bleibt dabei.",
		"termin, reservierung, buchung, tisch", "absagen, stornieren, storniere, abbestellen, streichen, ich kann nicht kommen, nicht kommen",
		"verschieben, verlegen, umbuchen, ändern, verlegt, verschoben, andere uhrzeit, anderer tag, anderen tag, vorverlegen",
		"erste, ersten, erster, erstes, der erste; zweite, zweiten, zweiter, zweites, der zweite; dritte, dritten, dritter, drittes", "letzte, letzten, letzter, letztes",
		"mein, meine, meinen, meinem, meiner, unser, unsere, unseren",
		"lieber, stattdessen, doch, besser, geht auch, ginge auch, geht es, später, früher",
	},
	{
		"it", "Appuntamento", "%s, %s",
		"Per che cosa? Offriamo: %s.", "Quale giorno e quale ora vanno bene?", "Questi orari sono liberi:", "%s non è libero.",
		"In quel momento non c'è nulla di libero.", "In quel momento non c'è nulla di libero. Quale altro giorno e ora vanno bene?",
		"%s, %s: è libero. Prenoto?", "%s è libero.",
		"A quale nome, e qual è un numero di telefono o un indirizzo e-mail?",
		"Qual è un numero di telefono o un indirizzo e-mail, se cambia qualcosa?", "A quale nome?",
		"Prenotato: %s, %s. A presto!", "Annotato: %s, %s. Una persona del team lo confermerà.", "Va bene, non è prenotato nulla.",
		"Qui non trovo appuntamenti in programma.", "Quale?", "%s: annullo?", "Annullato: %s.",
		"Per ora: %s. Quale altro giorno e ora vanno bene?", "%s: sposto a %s?", "Spostato: %s, ora %s.", "Va bene, resta così.",
		"appuntamento, prenotazione, tavolo, visita", "annullare, annulla, annullo, disdire, disdico, cancellare, cancella, non posso venire",
		"spostare, sposta, sposto, rimandare, cambiare, modificare, un'altra ora, un altro giorno, anticipare",
		"primo, prima, il primo; secondo, seconda, il secondo; terzo, terza, il terzo", "ultimo, ultima, l'ultimo",
		"mio, mia, nostro, nostra",
		"piuttosto, invece, meglio, si può, possiamo fare, più tardi, prima",
	},
	{
		"pt", "Marcação", "%s, %s",
		"Para que é? Oferecemos: %s.", "Que dia e que hora convêm?", "Estes horários estão livres:", "%s não está livre.",
		"Nessa altura não há nada livre.", "Nessa altura não há nada livre. Que outro dia e hora convêm?",
		"%s, %s: está livre. Posso marcar?", "%s está livre.",
		"Em que nome, e qual é um telefone ou e-mail?",
		"Qual é um telefone ou e-mail, caso algo mude?", "Em que nome?",
		"Marcado: %s, %s. Até lá!", "Anotado: %s, %s. Alguém da equipa vai confirmar.", "Está bem, nada ficou marcado.",
		"Não encontro aqui nenhuma marcação futura.", "Qual delas?", "%s: posso cancelar?", "Cancelado: %s.",
		"Por agora: %s. Que outro dia e hora convêm?", "%s: posso mudar para %s?", "Mudado: %s, agora %s.", "Está bem, fica como está.",
		"marcação, consulta, agendamento, reserva, horário, mesa", "cancelar, cancela, cancele, desmarcar, desmarca, desmarque, anular, não posso ir, não vou poder ir",
		"remarcar, reagendar, mudar, alterar, adiar, trocar, outra hora, outro dia, antecipar",
		"primeira, primeiro, a primeira, o primeiro; o segundo, a segunda opção, segundo, segunda opção; terceira opção, o terceiro, terceiro", "última, último, a última",
		"minha, meu, nossa, nosso, tenho",
		"antes, em vez, melhor, pode ser, podia ser, mais tarde, mais cedo",
	},
	{
		"nl", "Afspraak", "%s, %s",
		"Waar gaat het om? Wij bieden aan: %s.", "Welke dag en tijd komen uit?", "Deze tijden zijn vrij:", "%s is niet vrij.",
		"Dan is er niets vrij.", "Dan is er niets vrij. Welke andere dag en tijd komen uit?",
		"%s, %s: dat is vrij. Zal ik het vastleggen?", "%s is vrij.",
		"Op welke naam, en wat is een telefoonnummer of e-mailadres?",
		"Wat is een telefoonnummer of e-mailadres, voor als er iets verandert?", "Op welke naam?",
		"Vastgelegd: %s, %s. Tot dan!", "Genoteerd: %s, %s. Een collega bevestigt het nog.", "Prima, er is niets vastgelegd.",
		"Ik vind hier geen komende afspraak.", "Welke?", "%s: zal ik die afzeggen?", "Afgezegd: %s.",
		"Nu is het: %s. Welke andere dag en tijd komen uit?", "%s: zal ik die verzetten naar %s?", "Verzet: %s, nu %s.", "Prima, het blijft zo.",
		"afspraak, reservering, boeking, tafel", "annuleren, annuleer, afzeggen, zeg af, schrappen, kan niet komen",
		"verzetten, verplaatsen, verschuiven, wijzigen, veranderen, andere tijd, andere dag",
		"eerste, de eerste; tweede, de tweede; derde, de derde", "laatste, de laatste",
		"mijn, onze",
		"liever, in plaats, toch, beter, kan het, later, eerder",
	},
	{
		"sv", "Tid", "%s, %s",
		"Vad gäller det? Vi erbjuder: %s.", "Vilken dag och tid passar?", "De här tiderna är lediga:", "%s är inte ledigt.",
		"Då finns inget ledigt.", "Då finns inget ledigt. Vilken annan dag och tid passar?",
		"%s, %s: det är ledigt. Ska jag boka?", "%s är ledigt.",
		"Vilket namn ska det stå på, och vad är ett telefonnummer eller en e-postadress?",
		"Vad är ett telefonnummer eller en e-postadress, om något ändras?", "Vilket namn ska det stå på?",
		"Bokat: %s, %s. Välkommen!", "Noterat: %s, %s. En kollega bekräftar det.", "Okej, inget är bokat.",
		"Jag hittar ingen kommande tid här.", "Vilken av dem?", "%s: ska jag avboka?", "Avbokat: %s.",
		"Nu är det: %s. Vilken annan dag och tid passar?", "%s: ska jag flytta till %s?", "Flyttat: %s, nu %s.", "Okej, det blir som det är.",
		"tid, bokning, bord", "avboka, avbokning, ställa in, kan inte komma", "omboka, flytta, ändra, annan tid, annan dag, skjuta upp",
		"första, den första; andra, den andra; tredje, den tredje", "sista, den sista",
		"min, mitt, vår",
		"hellre, istället, i stället, bättre, går det, senare, tidigare",
	},
	{
		"da", "Aftale", "%s, %s",
		"Hvad drejer det sig om? Vi tilbyder: %s.", "Hvilken dag og tid passer?", "Disse tider er ledige:", "%s er ikke ledig.",
		"Der er intet ledigt på det tidspunkt.", "Der er intet ledigt på det tidspunkt. Hvilken anden dag og tid passer?",
		"%s, %s: det er ledigt. Skal jeg booke?", "%s er ledig.",
		"Hvilket navn skal det stå i, og hvad er et telefonnummer eller en e-mailadresse?",
		"Hvad er et telefonnummer eller en e-mailadresse, hvis noget ændrer sig?", "Hvilket navn skal det stå i?",
		"Booket: %s, %s. På gensyn!", "Noteret: %s, %s. En kollega bekræfter det.", "Fint, der er ikke booket noget.",
		"Jeg finder ingen kommende aftale her.", "Hvilken?", "%s: skal jeg aflyse?", "Aflyst: %s.",
		"Nu er det: %s. Hvilken anden dag og tid passer?", "%s: skal jeg flytte til %s?", "Flyttet: %s, nu %s.", "Fint, det bliver, som det er.",
		"aftale, tid, booking, reservation, bord", "aflyse, aflys, afbestille, annullere, kan ikke komme", "flytte, flyt, ændre, udsætte, anden tid, anden dag",
		"første, den første; anden, den anden; tredje, den tredje", "sidste, den sidste",
		"min, mit, vores",
		"hellere, i stedet, bedre, kan det, senere, tidligere",
	},
	{
		"no", "Time", "%s, %s",
		"Hva gjelder det? Vi tilbyr: %s.", "Hvilken dag og tid passer?", "Disse tidene er ledige:", "%s er ikke ledig.",
		"Da er ingenting ledig.", "Da er ingenting ledig. Hvilken annen dag og tid passer?",
		"%s, %s: det er ledig. Skal jeg bestille?", "%s er ledig.",
		"Hvilket navn skal det stå på, og hva er et telefonnummer eller en e-postadresse?",
		"Hva er et telefonnummer eller en e-postadresse, om noe endrer seg?", "Hvilket navn skal det stå på?",
		"Bestilt: %s, %s. Velkommen!", "Notert: %s, %s. En kollega bekrefter det.", "Greit, ingenting er bestilt.",
		"Jeg finner ingen kommende time her.", "Hvilken?", "%s: skal jeg avlyse?", "Avlyst: %s.",
		"Nå er det: %s. Hvilken annen dag og tid passer?", "%s: skal jeg flytte til %s?", "Flyttet: %s, nå %s.", "Greit, det blir som det er.",
		"time, avtale, bestilling, bord", "avlyse, avlys, avbestille, kansellere, kan ikke komme", "flytte, flytt, endre, utsette, annen tid, annen dag",
		"første, den første; andre, den andre; tredje, den tredje", "siste, den siste",
		"min, mitt, vår",
		"heller, i stedet, bedre, går det, senere, tidligere",
	},
	{
		"fi", "Aika", "%s, %s",
		"Mitä asia koskee? Tarjoamme: %s.", "Mikä päivä ja aika sopisi?", "Nämä ajat ovat vapaina:", "%s ei ole vapaana.",
		"Silloin ei ole vapaita aikoja.", "Silloin ei ole vapaita aikoja. Mikä muu päivä ja aika sopisi?",
		"%s, %s: se on vapaana. Varaanko sen?", "%s on vapaana.",
		"Mille nimelle varaan, ja mikä on puhelinnumero tai sähköpostiosoite?",
		"Mikä on puhelinnumero tai sähköpostiosoite, jos jokin muuttuu?", "Mille nimelle varaan?",
		"Varattu: %s, %s. Tervetuloa!", "Merkitty: %s, %s. Kollega vahvistaa sen.", "Selvä, mitään ei ole varattu.",
		"En löydä täältä tulevaa aikaa.", "Mikä niistä?", "%s: perunko sen?", "Peruttu: %s.",
		"Nyt se on: %s. Mikä muu päivä ja aika sopisi?", "%s: siirränkö uuteen aikaan: %s?", "Siirretty: %s, nyt %s.", "Selvä, se pysyy ennallaan.",
		"aika, aikani, varaus, varaukseni, pöytä", "peruuttaa, peruuta, perua, en pääse", "siirtää, siirrä, muuttaa, vaihtaa, toinen aika",
		"ensimmäinen, ensimmäisen; toinen, toisen; kolmas, kolmannen", "viimeinen, viimeisen",
		"minun, varaukseni, aikani",
		"mieluummin, sen sijaan, parempi, sopisiko, myöhemmin, aikaisemmin",
	},
	{
		"ro", "Programare", "%s, %s",
		"Pentru ce este? Oferim: %s.", "Ce zi și ce oră ar fi potrivite?", "Aceste ore sunt libere:", "%s nu este liber.",
		"Atunci nu mai este nimic liber.", "Atunci nu mai este nimic liber. Ce altă zi și oră ar fi potrivite?",
		"%s, %s: este liber. Fac programarea?", "%s este liber.",
		"Pe ce nume, și care este un număr de telefon sau o adresă de e-mail?",
		"Care este un număr de telefon sau o adresă de e-mail, dacă se schimbă ceva?", "Pe ce nume?",
		"Programat: %s, %s. Pe curând!", "Notat: %s, %s. Un coleg va confirma.", "În regulă, nu s-a programat nimic.",
		"Nu găsesc aici nicio programare viitoare.", "Care dintre ele?", "%s: o anulez?", "Anulat: %s.",
		"Acum este: %s. Ce altă zi și oră ar fi potrivite?", "%s: o mut la %s?", "Mutat: %s, acum %s.", "În regulă, rămâne așa.",
		"programare, programarea, rezervare, rezervarea, masă", "anula, anulez, anulați, nu pot veni, nu mai pot veni", "muta, mut, reprograma, reprogramez, amâna, schimba, altă oră, altă zi",
		"prima, primul; a doua, al doilea; a treia, al treilea", "ultima, ultimul",
		"mea, meu, noastră",
		"mai bine, în schimb, se poate, mai târziu, mai devreme",
	},
	{
		"hu", "Időpont", "%s, %s",
		"Miről van szó? Kínálatunk: %s.", "Melyik nap és időpont lenne jó?", "Ezek az időpontok szabadok:", "%s nem szabad.",
		"Akkor nincs szabad időpont.", "Akkor nincs szabad időpont. Melyik másik nap és időpont lenne jó?",
		"%s, %s: szabad. Lefoglaljam?", "%s szabad.",
		"Milyen névre, és mi egy telefonszám vagy e-mail-cím?",
		"Mi egy telefonszám vagy e-mail-cím, ha valami változik?", "Milyen névre?",
		"Lefoglalva: %s, %s. Várjuk!", "Feljegyezve: %s, %s. Egy kolléga visszaigazolja.", "Rendben, semmi nincs lefoglalva.",
		"Nem találok itt közelgő időpontot.", "Melyiket?", "%s: lemondjam?", "Lemondva: %s.",
		"Most ez van: %s. Melyik másik nap és időpont lenne jó?", "%s: áttegyem erre: %s?", "Áttéve: %s, most %s.", "Rendben, marad így.",
		"időpont, időpontom, időpontomat, foglalás, foglalásom, asztal", "lemondani, lemondom, lemondanám, törölni, nem tudok menni", "áttenni, módosítani, elhalasztani, másik időpont, máskor",
		"első, az elsőt; második, a másodikat; harmadik, a harmadikat", "utolsó, az utolsót",
		"időpontom, foglalásom, asztalom",
		"inkább, helyette, jobb, lehetne, később, korábban",
	},
	{
		"ru", "Запись", "%s, %s",
		"По какому поводу? У нас есть: %s.", "Какой день и какое время подойдут?", "Свободно это время:", "%s занято.",
		"На это время ничего свободного нет.", "На это время ничего свободного нет. Какой другой день и время подойдут?",
		"%s, %s: свободно. Записать?", "%s свободно.",
		"На какое имя записать, и какой телефон или адрес почты?",
		"Какой телефон или адрес почты, если что-то изменится?", "На какое имя записать?",
		"Записано: %s, %s. До встречи!", "Отмечено: %s, %s. Сотрудник подтвердит.", "Хорошо, ничего не записано.",
		"Не нахожу здесь предстоящей записи.", "Какую из них?", "%s: отменить?", "Отменено: %s.",
		"Сейчас: %s. Какой другой день и время подойдут?", "%s: перенести на новое время, %s?", "Перенесено: %s, теперь %s.", "Хорошо, всё остаётся как есть.",
		"запись, записи, бронь, бронирование, столик", "отменить, отмените, отмена, не смогу прийти, не приду", "перенести, перенесите, изменить, поменять, другое время, другой день",
		"первое, первый, первую; второе, второй, вторую; третье, третий, третью", "последнее, последний",
		"моя, мой, мою, моей, моего, наша",
		"лучше, вместо, можно, позже, раньше",
	},
	{
		"tr", "Randevu", "%s, %s",
		"Ne için? Sunduklarımız: %s.", "Hangi gün ve saat uygun olur?", "Şu saatler boş:", "%s dolu.",
		"O zaman boş yer yok.", "O zaman boş yer yok. Başka hangi gün ve saat uygun olur?",
		"%s, %s: boş. Ayırayım mı?", "%s boş.",
		"Hangi isme, ve bir telefon numarası ya da e-posta adresi nedir?",
		"Bir değişiklik olursa diye bir telefon numarası ya da e-posta adresi nedir?", "Hangi isme?",
		"Ayrıldı: %s, %s. Görüşmek üzere!", "Not edildi: %s, %s. Bir yetkili onaylayacak.", "Peki, bir şey ayrılmadı.",
		"Burada gelecek bir randevu bulamıyorum.", "Hangisi?", "%s: iptal edeyim mi?", "İptal edildi: %s.",
		"Şu an: %s. Başka hangi gün ve saat uygun olur?", "%s: yeni zamana alayım mı: %s?", "Değiştirildi: %s, şimdi %s.", "Peki, olduğu gibi kalıyor.",
		"randevu, randevum, randevumu, rezervasyon, rezervasyonum, rezervasyonumu, masa", "iptal, gelemiyorum, gelemeyeceğim", "ertelemek, ertele, değiştirmek, değiştir, taşımak, başka saat, başka gün",
		"birinci, birincisi, ilki; ikinci, ikincisi; üçüncü, üçüncüsü", "son, sonuncu, sonuncusu",
		"randevum, randevumuz, rezervasyonum, rezervasyonumuz",
		"bunun yerine, daha iyi, olabilir mi, olur mu, daha geç, daha erken",
	},
	{
		"ar", "موعد", "%s، %s",
		"ما الغرض؟ نقدم: %s.", "أي يوم ووقت يناسب؟", "هذه الأوقات متاحة:", "%s غير متاح.",
		"لا يوجد وقت متاح حينها.", "لا يوجد وقت متاح حينها. أي يوم ووقت آخر يناسب؟",
		"%s، %s: الوقت متاح. هل أحجزه؟", "%s متاح.",
		"بأي اسم، وما رقم الهاتف أو البريد الإلكتروني؟",
		"ما رقم الهاتف أو البريد الإلكتروني، إن تغير شيء؟", "بأي اسم؟",
		"تم الحجز: %s، %s. إلى اللقاء!", "تم التسجيل: %s، %s. سيؤكده أحد الزملاء.", "حسنا، لم يحجز شيء.",
		"لا أجد هنا موعدا قادما.", "أي واحد؟", "%s: هل ألغيه؟", "تم الإلغاء: %s.",
		"الموعد الآن: %s. أي يوم ووقت آخر يناسب؟", "%s: هل أنقله إلى %s؟", "تم النقل: %s، الآن %s.", "حسنا، يبقى كما هو.",
		"موعد, موعدي, الموعد, حجز, حجزي, الحجز, طاولة", "إلغاء, الغاء, ألغي, الغي, لا أستطيع الحضور", "تأجيل, تغيير, نقل, وقت آخر, يوم آخر",
		"الأول, الأولى; الخيار الثاني, الثاني; الخيار الثالث, الثالث", "الأخير, الأخيرة",
		"موعدي, حجزي",
		"بدلا, أفضل, هل يمكن, لاحقا, أبكر",
	},
}

// wordingOf is that of a language, English for one without any.
func wordingOf(language string) *wording {
	for i := range wordings {
		if wordings[i].language == language {
			return &wordings[i]
		}
	}
	return &wordings[0]
}
