package assistant

import (
	"context"
	"time"

	"frontdesk/shared/ai"
	"frontdesk/shared/conversation"
	"frontdesk/shared/table"
)

// A Sender is who wrote over a channel whose platform knows them. It stands in the place of a chat session: what the
// platform knows them by leads to the contact and to the conversation that goes on.
type Sender struct {
	Address string   // what replies are sent to
	Aliases []string // further addresses of theirs on the channel
	// Idle is how long after its last message a conversation goes on; 0 for ever.
	Idle time.Duration
	// Window is how long after a message the business may write freely; 0 for ever.
	Window time.Duration
	// WroteAt is when the last of the messages was written.
	WroteAt time.Time
}

// senderKeys are where the writer's addresses lead to a contact and a conversation from.
func (m Message) senderKeys() []table.Key {
	if m.Sender == nil {
		return nil
	}
	var keys []table.Key
	for _, address := range append([]string{m.Sender.Address}, m.Sender.Aliases...) {
		keys = append(keys, conversation.AddressKey(m.AccountID, m.AgentID, string(m.Channel), address))
	}
	return keys
}

// readSender takes in where the writer's addresses lead. The first that leads somewhere decides.
func (s *state) readSender(items map[table.Key]table.Item) error {
	for _, key := range s.message.senderKeys() {
		item, ok := items[key]
		if !ok {
			continue
		}
		known, err := conversation.ReadAddress(item)
		if err != nil {
			return err
		}
		s.addresses = append(s.addresses, storedAddress{key, item.Version, known})
		if !s.hasSession {
			s.session = conversation.Session{ConversationID: known.ConversationID, ContactID: known.ContactID}
			s.hasSession = true
		}
	}
	return nil
}

// A storedAddress is one as it was read.
type storedAddress struct {
	key     table.Key
	version int64
	address conversation.Address
}

// beginAnew leaves a conversation to itself that has ended, or that nothing was said in for long: what a channel brings
// begins another one then.
func (s *state) beginAnew() {
	m := s.message
	if m.Sender == nil || s.conversationVersion == 0 {
		return
	}
	idle := m.Sender.Idle > 0 && s.now.Sub(s.conversation.LastMessageAt) >= m.Sender.Idle
	if s.conversation.Ended() || idle {
		s.conversation, s.conversationVersion, s.history = conversation.Conversation{}, 0, nil
	}
}

// addressWrites stores where the writer's addresses lead after the turn.
func (s *state) addressWrites(m Message) ([]table.Write, error) {
	var writes []table.Write
	for _, key := range m.senderKeys() {
		var before storedAddress
		for _, known := range s.addresses {
			if known.key == key {
				before = known
			}
		}
		after := before.address
		after.ContactID, after.ConversationID = s.contact.ID, s.conversation.ID
		if m.Sender.WroteAt.After(after.LastInboundAt) {
			after.LastInboundAt = m.Sender.WroteAt
		}
		item, err := after.Item(key, before.version)
		if err != nil {
			return nil, err
		}
		writes = append(writes, table.PutAsRead(item))
	}
	return writes, nil
}

// Unreadable is the intent of a message that has nothing but what the agent cannot read, such as a picture.
const Unreadable = "unreadable"

// unreadable takes up a message without words: it asks for some.
func (s *state) unreadable(context.Context) (*decision, error) {
	if !s.message.NeedsWords {
		return nil, nil
	}
	words, ok := wordsPlease[s.language()]
	if !ok {
		words = wordsPlease["en"]
	}
	return &decision{reply: s.reply(ai.Respond, Unreadable, words)}, nil
}

// uncalledFor takes up what is stored and never answered, such as a reaction.
func (s *state) uncalledFor(context.Context) (*decision, error) {
	if !s.message.Silent {
		return nil, nil
	}
	return &decision{silence: NotAnswered}, nil
}

// NotAnswered is the action of an Answer to a message that calls for none.
const NotAnswered = "not_answered"

// wordsPlease asks for words, by language.
var wordsPlease = map[string]string{
	"en": "I cannot open that here. Please tell me in words what this is about.",
	"es": "Aquí no puedo abrirlo. ¿Me lo puede contar con palabras?",
	"fr": "Je ne peux pas ouvrir cela ici. Pouvez-vous me l'écrire en quelques mots ?",
	"de": "Das kann ich hier nicht öffnen. Bitte beschreiben Sie es mir in Worten.",
	"it": "Qui non posso aprirlo. Può descriverlo a parole?",
	"pt": "Não consigo abrir isso aqui. Pode contar por palavras?",
	"nl": "Dat kan ik hier niet openen. Kunt u het in woorden beschrijven?",
	"sv": "Jag kan inte öppna det här. Kan du beskriva det med ord?",
	"da": "Det kan jeg ikke åbne her. Kan du beskrive det med ord?",
	"no": "Det kan jeg ikke åpne her. Kan du beskrive det med ord?",
	"fi": "En voi avata sitä täällä. Voitko kertoa sen sanoin?",
	"ru": "Я не могу открыть это здесь. Опишите, пожалуйста, словами.",
	"tr": "Bunu burada açamıyorum. Lütfen yazıyla anlatır mısınız?",
	"ro": "Nu pot deschide asta aici. Puteți descrie în cuvinte?",
	"ar": "لا أستطيع فتح هذا هنا. هل يمكنك أن توضح لي الأمر كتابةً؟",
	"hu": "Ezt itt nem tudom megnyitni. Kérem, írja le szavakkal.",
}
