package table

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// The keys of everything stored. A partition key starts with what the item is, then the workspace: whoever builds a key
// has to say whose it is, so nobody reads another workspace's item by guessing an id. docs/data-model.md has the table
// of them, with what each access costs.
//
// Ids are written with 16 digits in sort keys, so that they sort as numbers do, which is by the time of creation.

// PadID writes an id so that the order of texts is the order of ids.
func PadID(id int64) string { return fmt.Sprintf("%016d", id) }

// AccountKey is the workspace itself.
func AccountKey(account int64) Key { return Key{fmt.Sprintf("account/%d", account), "account"} }

// AccountCountKey holds the workspace's counters, such as how many agents it has.
func AccountCountKey(account int64) Key { return Key{AccountKey(account).PK, "count"} }

// AccountAPIKey is the workspace's record of one of its API keys; AccountAPIKeyPrefix begins all of them.
func AccountAPIKey(account, id int64) Key {
	return Key{AccountKey(account).PK, AccountAPIKeyPrefix + PadID(id)}
}

// AccountAPIKeyPrefix begins the sort keys of a workspace's API keys.
const AccountAPIKeyPrefix = "key/"

// APIKey is what a request is authenticated by: the item under the hash of the key's text.
func APIKey(text string) Key { return APIKeyHash(HashAPIKey(text)) }

// APIKeyHash is APIKey by the hash.
func APIKeyHash(hash string) Key { return Key{"key/" + hash, "key"} }

// HashAPIKey is how the text of an API key is stored: SHA-256 in hex. The keys are random, so a slow hash adds nothing.
func HashAPIKey(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// UsageKey is the count of a workspace's AI replies in one period. Shards spread the writes of busy workspaces.
func UsageKey(account, period int64, shard int) Key {
	return Key{fmt.Sprintf("usage/%d", account), fmt.Sprintf("%06d/%02d", period, shard)}
}

// AgentKey is the agent's summary, in the workspace's partition, where agents are listed from; AgentPrefix begins them.
func AgentKey(account, agent int64) Key {
	return Key{AccountKey(account).PK, AgentPrefix + PadID(agent)}
}

// AgentPrefix begins the sort keys of a workspace's agents.
const AgentPrefix = "agent/"

// AgentOwnerKey leads from an agent's id alone to its workspace, and keeps ids of agents unique across workspaces.
func AgentOwnerKey(agent int64) Key { return Key{fmt.Sprintf("owner/%d", agent), "agent"} }

// AgentPartition holds what belongs to one agent alone; AgentDetailKey and others are in it.
func AgentPartition(account, agent int64) string { return fmt.Sprintf("agent/%d/%d", account, agent) }

// AgentDetailKey is one part of the agent's full form.
func AgentDetailKey(account, agent int64, part string) Key {
	return Key{AgentPartition(account, agent), AgentDetailPrefix + part}
}

// AgentDetailPrefix begins the sort keys of the parts of an agent's full form.
const AgentDetailPrefix = "detail/"

// TallyKey is one of the items that hold an agent's counts. Those of all agents of a workspace share a partition.
func TallyKey(account, agent int64, shard int) Key {
	return Key{fmt.Sprintf("tally/%d", account), fmt.Sprintf("%s%02d", TallyPrefix(agent), shard)}
}

// TallyPrefix begins the sort keys of an agent's counts.
func TallyPrefix(agent int64) string { return PadID(agent) + "/" }

// ReadTallyKey returns the agent that a TallyKey is of.
func ReadTallyKey(key Key) (agent int64, err error) {
	id, _, _ := strings.Cut(key.SK, "/")
	if agent, err = strconv.ParseInt(id, 10, 64); err != nil {
		return 0, fmt.Errorf("table: %s %s is no key of counts: %w", key.PK, key.SK, err)
	}
	return agent, nil
}

// ChannelKey is what an agent is connected to one of its channels with; ChannelPrefix begins them.
func ChannelKey(account, agent int64, channel string) Key {
	return Key{AgentPartition(account, agent), ChannelPrefix + channel}
}

// ChannelPrefix begins the sort keys of an agent's channels.
const ChannelPrefix = "channel/"

// WebhookKey is one of an agent's webhooks; WebhookPrefix begins them.
func WebhookKey(account, agent, webhook int64) Key {
	return Key{AgentPartition(account, agent), WebhookPrefix + PadID(webhook)}
}

// WebhookPrefix begins the sort keys of an agent's webhooks.
const WebhookPrefix = "webhook/"

// DeliveryPartition holds the deliveries to one receiver of an agent, which is the kind of it and its id, such as
// "webhook/5", and how many there are of each day.
func DeliveryPartition(account, agent int64, receiver string) string {
	return fmt.Sprintf("delivery/%d/%d/%s", account, agent, receiver)
}

// DeliveryKey is a delivery; DeliveryPrefix begins them.
func DeliveryKey(account, agent int64, receiver string, delivery int64) Key {
	return Key{DeliveryPartition(account, agent, receiver), DeliveryPrefix + PadID(delivery)}
}

// DeliveryPrefix begins the sort keys of the deliveries to a receiver.
const DeliveryPrefix = "delivery/"

// DeliveryCountKey is one of the items that count the deliveries to a receiver of one day, in UTC; DeliveryCountPrefix
// begins those of all days.
func DeliveryCountKey(account, agent int64, receiver string, day time.Time, shard int) Key {
	return Key{
		DeliveryPartition(account, agent, receiver),
		fmt.Sprintf("%s%s/%02d", DeliveryCountPrefix, day.UTC().Format(time.DateOnly), shard),
	}
}

// DeliveryCountPrefix is described at DeliveryCountKey.
const DeliveryCountPrefix = "count/"

// ActionRunKey is how often an action has run for a contact and when it last did, beside its deliveries.
func ActionRunKey(account, agent, action, contact int64) Key {
	return Key{DeliveryPartition(account, agent, fmt.Sprintf("action/%d", action)), "run/contact/" + PadID(contact)}
}

// ActionDayKey is how often an action has run on a day of its agent's time zone, a date such as 2026-03-02.
func ActionDayKey(account, agent, action int64, date string) Key {
	return Key{DeliveryPartition(account, agent, fmt.Sprintf("action/%d", action)), "run/day/" + date}
}

// ActionEventKey tells that an action has run for an event of the outbox, where no delivery tells so.
func ActionEventKey(account, agent, action, event int64) Key {
	return Key{DeliveryPartition(account, agent, fmt.Sprintf("action/%d", action)), "run/event/" + PadID(event)}
}

// ShopKey is the configuration of an agent's online shop.
func ShopKey(account, agent int64) Key { return Key{AgentPartition(account, agent), "shop"} }

// DayKey is one of the items that hold an agent's counts of a day, which is a date such as 2026-03-02.
func DayKey(account, agent int64, date string, shard int) Key {
	return Key{AgentPartition(account, agent), fmt.Sprintf("%s%s/%02d", dayPrefix, date, shard)}
}

// ReadDayKey returns the date that a DayKey is of.
func ReadDayKey(key Key) (date string, err error) {
	date, _, ok := strings.Cut(strings.TrimPrefix(key.SK, dayPrefix), "/")
	if !ok {
		return "", fmt.Errorf("table: %s %s is no key of a day's counts", key.PK, key.SK)
	}
	return date, nil
}

const dayPrefix = "day/"

// MarkPrefix begins the sort keys of what is marked of a workspace's agents for those who read or change something of
// theirs by its own id, and learn from it only whose it is.
const MarkPrefix = "mark/"

// DeletedAgentKey marks an agent that was deleted and whose data is not gone yet; DeletedAgentPrefix begins the marks.
func DeletedAgentKey(account, agent int64) Key {
	return Key{AccountKey(account).PK, DeletedAgentPrefix + PadID(agent)}
}

// DeletedAgentPrefix begins the sort keys of the marks of deleted agents.
const DeletedAgentPrefix = MarkPrefix + "deleted/"

// AgentTriggersKey marks an agent with actions, and counts what they wait for.
func AgentTriggersKey(account, agent int64) Key {
	return Key{AccountKey(account).PK, MarkPrefix + "triggers/" + PadID(agent)}
}

// EmbedKey leads from a widget's embed key to its agent.
func EmbedKey(embed string) Key { return Key{"embed/" + embed, "embed"} }

// VisitorKey counts the requests that come to a widget in one minute, from one address or in one session.
func VisitorKey(embed, who string, minute int64) Key {
	return Key{"visitor/" + embed + "/" + who, strconv.FormatInt(minute, 10)}
}

// DocumentKey is part n of a knowledge document; part 0 is the document itself.
func DocumentKey(account, document int64, n int) Key {
	return Key{DocumentPartition(account, document), fmt.Sprintf("%s%04d", DocumentPartPrefix, n)}
}

// DocumentPartPrefix begins the sort keys of a document's parts.
const DocumentPartPrefix = "part/"

// DocumentPartition holds a document's parts and the word lists of its index entries.
func DocumentPartition(account, document int64) string {
	return fmt.Sprintf("document/%d/%d", account, document)
}

// DocumentWordsKey is the list of the words under which one generation of a document stands in the index.
func DocumentWordsKey(account, document, generation int64) Key {
	return Key{DocumentPartition(account, document), DocumentWordsPrefix + PadID(generation)}
}

// ReadDocumentWordsKey returns the generation that a DocumentWordsKey is of.
func ReadDocumentWordsKey(key Key) (generation int64, err error) {
	generation, err = strconv.ParseInt(strings.TrimPrefix(key.SK, DocumentWordsPrefix), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("table: %s %s is no key of a word list: %w", key.PK, key.SK, err)
	}
	return generation, nil
}

// DocumentWordsPrefix begins the sort keys of a document's word lists.
const DocumentWordsPrefix = "words/"

// DocumentsOfAgent is where an agent's documents are listed, in Index1.
func DocumentsOfAgent(account, agent, document int64) Key {
	return Key{fmt.Sprintf("documents/%d/%d", account, agent), PadID(document)}
}

// WordKey is the entry of one word in an agent's index, for one generation of a document.
func WordKey(account, agent int64, word string, document, generation int64) Key {
	return Key{WordPartition(account, agent, word), PadID(document) + "/" + PadID(generation)}
}

// ReadWordKey returns the document and the generation that a WordKey is of.
func ReadWordKey(key Key) (document, generation int64, err error) {
	id, gen, _ := strings.Cut(key.SK, "/")
	if document, err = strconv.ParseInt(id, 10, 64); err == nil {
		generation, err = strconv.ParseInt(gen, 10, 64)
	}
	if err != nil {
		return 0, 0, fmt.Errorf("table: %s %s is no key of a word: %w", key.PK, key.SK, err)
	}
	return document, generation, nil
}

// WordPartition holds the entries of one word in an agent's index.
func WordPartition(account, agent int64, word string) string {
	return fmt.Sprintf("word/%d/%d/%s", account, agent, word)
}

// ContactKey is a contact.
func ContactKey(account, contact int64) Key {
	return Key{fmt.Sprintf("contact/%d/%d", account, contact), "contact"}
}

// ContactsOfAgent is where an agent's contacts are listed, in Index1.
func ContactsOfAgent(account, agent, contact int64) Key {
	return Key{fmt.Sprintf("contacts/%d/%d", account, agent), PadID(contact)}
}

// ContactsOfAccount is where a workspace's contacts are listed, in Index2.
func ContactsOfAccount(account, contact int64) Key {
	return Key{fmt.Sprintf("contacts/%d", account), PadID(contact)}
}

// ContactByPhone and ContactByEmail lead to the contact of an agent that has this phone or address. An address is
// compared without regard to case.
func ContactByPhone(account, agent int64, phone string) Key {
	return Key{fmt.Sprintf("phone/%d/%d/%s", account, agent, phone), "contact"}
}

// ContactByEmail is described at ContactByPhone.
func ContactByEmail(account, agent int64, email string) Key {
	return Key{fmt.Sprintf("email/%d/%d/%s", account, agent, strings.ToLower(email)), "contact"}
}

// OptOutsOfAgent is where those phones of an agent are found, in Index1, that lead to no contact and whose last one wanted
// no messages.
func OptOutsOfAgent(account, agent int64, phone string) Key {
	return Key{fmt.Sprintf("opt-outs/%d/%d", account, agent), phone}
}

// SessionKey leads from a chat session to its conversation. Agents' ids are unique across workspaces.
func SessionKey(account, agent int64, session string) Key {
	return Key{fmt.Sprintf("session/%d/%d/%s", account, agent, session), "session"}
}

// ConversationPartition holds a conversation and its messages.
func ConversationPartition(account, conversation int64) string {
	return fmt.Sprintf("conversation/%d/%d", account, conversation)
}

// ConversationKey is the conversation itself. It sorts behind its messages, so that one query backwards gives it and
// the latest of them.
func ConversationKey(account, conversation int64) Key {
	return Key{ConversationPartition(account, conversation), "~"}
}

// MessageKey is a message of a conversation; MessagePrefix begins them.
func MessageKey(account, conversation, message int64) Key {
	return Key{ConversationPartition(account, conversation), MessagePrefix + PadID(message)}
}

// MessagePrefix begins the sort keys of messages.
const MessagePrefix = "message/"

// MessageByID is where a message is found by its id alone, in Index1.
func MessageByID(account, message int64) Key {
	return Key{fmt.Sprintf("message/%d/%d", account, message), "message"}
}

// MessageByProviderID is where a message is found by the id that the platform of a channel gave it, in Index2.
func MessageByProviderID(account, agent int64, channel, id string) Key {
	return Key{fmt.Sprintf("sent/%d/%d/%s/%s", account, agent, channel, id), "message"}
}

// IdentityKey leads from whom a channel knows, such as a number of WhatsApp, to the contact and the conversation.
func IdentityKey(account, agent int64, channel, identity string) Key {
	return Key{fmt.Sprintf("identity/%d/%d/%s/%s", account, agent, channel, identity), "identity"}
}

// ConversationsOfAgent is where an agent's conversations of one status are listed, in Index1.
func ConversationsOfAgent(account, agent int64, status string, conversation int64) Key {
	return Key{fmt.Sprintf("conversations/%d/%d/%s", account, agent, status), PadID(conversation)}
}

// ConversationsOfAccount is where a workspace's conversations of one status are listed, in Index2.
func ConversationsOfAccount(account int64, status string, conversation int64) Key {
	return Key{fmt.Sprintf("conversations/%d/%s", account, status), PadID(conversation)}
}

// ConversationsByScore is where an agent's conversations of one status are counted, in Index3: by their ids, with the
// lead score of each.
func ConversationsByScore(account, agent int64, status string, conversation int64, score int) Key {
	key := ConversationsOfAgent(account, agent, status, conversation)
	return Key{key.PK, fmt.Sprintf("%s/%03d", key.SK, score)}
}

// ReadConversationsByScore returns the lead score in a ConversationsByScore.
func ReadConversationsByScore(key Key) (score int, err error) {
	_, text, _ := strings.Cut(key.SK, "/")
	if score, err = strconv.Atoi(text); err != nil {
		return 0, fmt.Errorf("table: %s %s is no key of a lead score: %w", key.PK, key.SK, err)
	}
	return score, nil
}

// AppointmentKey is an appointment.
func AppointmentKey(account, appointment int64) Key {
	return Key{fmt.Sprintf("appointment/%d/%d", account, appointment), "appointment"}
}

// AppointmentsOfAgent is where an agent's appointments of one status are listed, in Index1: by their start, and by their
// ids where they start together.
func AppointmentsOfAgent(account, agent int64, status string, start time.Time, appointment int64) Key {
	return Key{fmt.Sprintf("appointments/%d/%d/%s", account, agent, status), startKey(start, appointment)}
}

// AppointmentsOfAccount is where a workspace's appointments of one status are listed, in Index2.
func AppointmentsOfAccount(account int64, status string, start time.Time, appointment int64) Key {
	return Key{fmt.Sprintf("appointments/%d/%s", account, status), startKey(start, appointment)}
}

// startKey sorts times, of years of four digits, whatever their offsets from UTC.
func startKey(start time.Time, appointment int64) string {
	return start.UTC().Format(time.RFC3339) + "/" + PadID(appointment)
}

// BusyKey is the time that an appointment takes from an agent, as long as it is to be. Those that last longer than a day
// are apart, so that who looks for the others need not look far back.
func BusyKey(account, agent int64, long bool, start time.Time, appointment int64) Key {
	return Key{BusyPartition(account, agent, long), startKey(start, appointment)}
}

// BusyPartition holds the times of BusyKey.
func BusyPartition(account, agent int64, long bool) string {
	if long {
		return fmt.Sprintf("busy/%d/%d/long", account, agent)
	}
	return fmt.Sprintf("busy/%d/%d", account, agent)
}

// BusyFrom bounds sort keys of BusyKey: those that start earlier sort before it, the others behind it.
func BusyFrom(start time.Time) string { return start.UTC().Format(time.RFC3339) }

// ReservedKey is the item that whoever reserves a time of an agent puts anew, so that one of two who do so at once fails.
func ReservedKey(account, agent int64) Key { return Key{AgentPartition(account, agent), "reserved"} }

// AnswerKey is part n of the answer to a request that carried an Idempotency-Key, by a hash of path and key.
func AnswerKey(account int64, request string, n int) Key {
	return Key{fmt.Sprintf("answer/%d/%s", account, request), fmt.Sprintf("%04d", n)}
}

// PlaybookKey is a row of a kind that an agent has many of, such as its products; package playbook names the kinds.
func PlaybookKey(account, agent int64, kind string, row int64) Key {
	return Key{fmt.Sprintf("playbook/%d/%d/%s", account, agent, kind), PadID(row)}
}

// PlaybookCopyKey is the copy of a row under a key of its own, where rows of its kind have one.
func PlaybookCopyKey(account, agent int64, kind, key string) Key {
	return Key{fmt.Sprintf("playbook/%d/%d/%s/keys", account, agent, kind), key}
}

// FunnelStepKey is a step of one of the agent's funnels; FunnelStepPrefix begins those of one funnel.
func FunnelStepKey(account, agent, funnel, step int64) Key {
	return Key{fmt.Sprintf("playbook/%d/%d/steps", account, agent), FunnelStepPrefix(funnel) + PadID(step)}
}

// FunnelStepPrefix is described at FunnelStepKey.
func FunnelStepPrefix(funnel int64) string { return PadID(funnel) + "/" }

// UnansweredKey is a question that an agent had no answer to.
func UnansweredKey(account, agent, question int64) Key {
	return Key{fmt.Sprintf("unanswered/%d/%d", account, agent), PadID(question)}
}

// UnansweredByTime is where they are listed, in Index1: by the message that asked last.
func UnansweredByTime(account, agent, message int64) Key {
	return Key{UnansweredKey(account, agent, 0).PK, PadID(message)}
}

// OutboxKey is something that happened, which the dispatch function reads from the change feed. OutboxPrefix begins the
// partition keys; the filter of the feed in template.yaml names it too.
func OutboxKey(account, event int64) Key {
	return Key{fmt.Sprintf("%s%d/%d", OutboxPrefix, account, event), "event"}
}

// OutboxPrefix begins the partition keys of the outbox.
const OutboxPrefix = "outbox/"
