package purge_test

import (
	"encoding/json"
	"errors"
	"log/slog"
	"testing"
	"time"

	"frontdesk/functions/jobs/purge"
	"frontdesk/shared/agent"
	"frontdesk/shared/attachment"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/delivery"
	"frontdesk/shared/event"
	"frontdesk/shared/id"
	"frontdesk/shared/message"
	"frontdesk/shared/secret"
	"frontdesk/shared/table"
	"frontdesk/shared/webhook"
	"frontdesk/shared/worktest"
)

// TestErase erases one of two contacts with e-mails, files and deliveries, twice, since a queue may hand on a
// message again. Of the other everything stays.
func TestErase(t *testing.T) {
	store := worktest.Table(t, time.Now)
	const account = 5
	ctx, ids := t.Context(), id.NewSource(time.Now)
	a, err := (&agent.Store{Table: store, Now: time.Now, IDs: ids}).Create(ctx, account, agent.Agent{}, 10)
	if err != nil {
		t.Fatal(err)
	}
	keys := &secret.Keys{Read: secret.Static(secret.NewKey())}
	hooks := &webhook.Store{Table: store, Now: time.Now, IDs: ids, Secrets: keys}
	hook, err := hooks.Create(ctx, account, webhook.Webhook{
		AgentID: a.ID, URL: "https://acme.example/", Active: true,
	}, webhook.NewSecret())
	if err != nil {
		t.Fatal(err)
	}
	to := delivery.Receiver{AccountID: account, AgentID: a.ID, WebhookID: hook.ID}
	contacts := &contact.Store{Table: store, Now: time.Now, IDs: ids}
	files := attachment.Store{Table: store, Now: time.Now}
	type person struct {
		contact, talk, delivery int64
		file                    string
	}
	write := func(phone string) person {
		with := contact.New(0, a.ID, time.Now())
		with.Phone = phone
		with, _, err := contacts.Upsert(ctx, account, with)
		if err != nil {
			t.Fatal(err)
		}
		file := "file-" + phone
		if err := files.Put(ctx, account, a.ID, file, []byte("a letter")); err != nil {
			t.Fatal(err)
		}
		u := message.Store{Table: store, Now: time.Now, IDs: ids}.New(account)
		u.Contact = with
		u.Begin(a.ID, conversation.API, "")
		u.Receive("", nil, message.Part{
			Kind: conversation.Text, Content: "Hello", Files: []conversation.File{{ID: file}},
			Attachments: []conversation.Attachment{{}},
		})
		if err := u.Commit(ctx); err != nil {
			t.Fatal(err)
		}
		body, _ := json.Marshal(map[string]any{"conversation_id": u.Conversation.ID, "message": "Hello"})
		d := delivery.New(to, ids.Next(), "conversation.resolved", "msg", body, time.Now())
		item, err := d.Item()
		if err != nil {
			t.Fatal(err)
		}
		if err := store.Transact(ctx, table.PutIfAbsent(item)); err != nil {
			t.Fatal(err)
		}
		return person{with.ID, u.Conversation.ID, d.ID, file}
	}
	gone, stays := write("+14155550123"), write("+14155550124")

	service := purge.Service{Table: store, Log: slog.New(slog.DiscardHandler), Now: time.Now, IDs: ids}
	erased := event.Event{
		ID: ids.Next(), Kind: event.ContactErased, AccountID: account, AgentID: a.ID, ContactID: gone.contact,
	}
	for range 2 { // messages may come twice
		if err := service.Handle(ctx, erased); err != nil {
			t.Fatal(err)
		}
	}
	for _, p := range []person{gone, stays} {
		_, noTalk := store.Get(ctx, conversation.Key(account, p.talk))
		_, noFile := files.Get(ctx, account, a.ID, p.file)
		item, err := store.Get(ctx, to.Key(p.delivery))
		if err != nil {
			t.Fatal(err)
		}
		erased := string(item.Blob) == "{}"
		if want := p == gone; errors.Is(noTalk, table.ErrNotFound) != want || erased != want ||
			errors.Is(noFile, table.ErrNotFound) != want {
			t.Errorf("erased %t: conversation %v, file %v, delivery %s", want, noTalk, noFile, item.Blob)
		}
	}
}
