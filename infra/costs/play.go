package costs

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"frontdesk/infra/authenticator"
	"frontdesk/shared/auth"
	"frontdesk/shared/channel"
	"frontdesk/shared/conversation"
	"frontdesk/shared/delivery"
	"frontdesk/shared/id"
	"frontdesk/shared/message"
	"frontdesk/shared/table"
	"frontdesk/shared/unanswered"
)

// A Workspace is whom the story is played to: one on plan pro without agents.
type Workspace struct {
	Table   table.Table
	Account int64
	Key     string // an API key of it
}

// A play is the story while it is played.
type play struct {
	Workspace
	kept   map[string]string // what steps kept, by name
	device *authenticator.Device
}

// newPlay is a play for a workspace that has kept nothing yet.
func newPlay(to Workspace) play {
	device := &authenticator.Device{Origin: "http://localhost", Host: "localhost"}
	return play{to, map[string]string{}, device}
}

// id is a number that a step kept, 0 where none did.
func (p play) id(name string) int64 {
	n, _ := strconv.ParseInt(p.kept[name], 10, 64)
	return n
}

// onPlan moves the workspace to a plan.
func onPlan(plan string) func(context.Context, play) error {
	return func(ctx context.Context, p play) error {
		_, err := (&auth.Workspaces{Table: p.Table, Now: time.Now}).SetPlan(ctx, p.Account, plan)
		return err
	}
}

// invited keeps the token of a link that signs the owner in.
func invited(ctx context.Context, p play) error {
	link, err := (&auth.Workspaces{Table: p.Table, Now: time.Now, IDs: id.NewSource(time.Now)}).OwnerLink(ctx,
		p.Account)
	p.kept["token"] = link.Token
	return err
}

// passkeyMade has the device make a passkey, and keeps the body that adds it.
func passkeyMade(_ context.Context, p play) error {
	body, err := p.device.Create("Phone", p.kept["challenge"], p.kept["user"])
	return errors.Join(err, p.keepJSON("made", body))
}

// passkeyUsed has the device sign a challenge, and keeps the body that signs in.
func passkeyUsed(_ context.Context, p play) error {
	body, err := p.device.SignIn(p.kept["challenge"])
	return errors.Join(err, p.keepJSON("used", body))
}

func (p play) keepJSON(name string, body map[string]any) error {
	text, err := json.Marshal(body)
	p.kept[name] = string(text)
	return err
}

// theyWrote has the contact of the story have written on WhatsApp just now, so that a text may be sent, and
// keeps the conversation there.
func theyWrote(ctx context.Context, p play) error {
	key := conversation.AddressKey(p.Account, p.id("agent"), string(channel.WhatsApp), "+14155550123")
	item, err := p.Table.Get(ctx, key)
	if err != nil {
		return err
	}
	identity, err := conversation.ReadAddress(item)
	if err != nil {
		return err
	}
	identity.LastInboundAt = time.Now()
	p.kept["whatsapp"] = strconv.FormatInt(identity.ConversationID, 10)
	if item, err = identity.Item(key, item.Version); err != nil {
		return err
	}
	return p.Table.Transact(ctx, table.PutIfVersion(item))
}

// pictured has the contact of the story send a picture on WhatsApp.
func pictured(ctx context.Context, p play) error {
	store := message.Store{Table: p.Table, Now: time.Now, IDs: id.NewSource(time.Now)}
	_, err := store.Change(ctx, p.Account, p.id("whatsapp"), func(u *message.Unit) error {
		m := u.Receive("", nil, message.Part{
			Kind: "image", Content: "[image]", Files: []conversation.File{{ID: "picture"}},
			Attachments: []conversation.Attachment{{Type: "image", ContentType: "image/png"}},
		})
		p.kept["picture"] = strconv.FormatInt(m.ID, 10)
		return nil
	})
	return err
}

// askedInVain keeps the id of the question that had no answer.
func askedInVain(_ context.Context, p play) error {
	p.kept["unanswered"] = strconv.FormatInt(unanswered.ID(p.id("agent"), "en", noAnswer), 10)
	return nil
}

// delivered has the webhook of the story have got an event.
func delivered(ctx context.Context, p play) error {
	to := delivery.Receiver{AccountID: p.Account, AgentID: p.id("agent"), WebhookID: p.id("webhook")}
	d := delivery.New(to, to.WebhookID, "conversation.resolved", "msg_1", []byte("{}"), time.Now())
	d.Add(delivery.Attempt{At: time.Now(), HTTPStatus: 200}, true)
	p.kept["delivery"] = strconv.FormatInt(d.ID, 10)
	return delivery.Create(ctx, p.Table, []delivery.Delivery{d})
}
