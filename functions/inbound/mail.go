package inbound

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"

	"github.com/aws/aws-lambda-go/events"

	"frontdesk/shared/channel"
	"frontdesk/shared/fault"
)

// A Mailbox receives the mail of Amazon SES, which stores each mail in a bucket and sends an event.
type Mailbox struct {
	Inbound *Service
	// Get reads an object of the bucket, of at most maxBytes.
	Get func(ctx context.Context, key string, maxBytes int64) ([]byte, error)
	Log *slog.Logger
}

const (
	// mailPrefix begins the keys of mails in the bucket; the id that SES gives a mail follows. The rule in
	// template.yaml names it too.
	mailPrefix = "mail/"
	// maxMail is how many bytes of a mail are read. SES takes at most 40 MB.
	maxMail = 40 << 20
)

// Take stores the mails of an event. After an error the event is sent again; a mail that was stored is not
// stored twice.
func (m *Mailbox) Take(ctx context.Context, event events.SimpleEmailEvent) error {
	var failures []error
	for _, record := range event.Records {
		if err := m.take(ctx, record.SES); err != nil {
			failures = append(failures, fmt.Errorf("mail %s: %w", record.SES.Mail.MessageID, err))
		}
	}
	return errors.Join(failures...)
}

// passed reports whether a check of SES succeeded.
func passed(v events.SimpleEmailVerdict) bool { return v.Status == "PASS" }

// take stores a mail for every agent that it was sent to. One with a virus is dropped.
func (m *Mailbox) take(ctx context.Context, ses events.SimpleEmailService) error {
	receipt := ses.Receipt
	if receipt.VirusVerdict.Status == "FAIL" {
		m.dropped(ctx, ses, "it has a virus")
		return nil
	}
	agents := map[int64][]string{}
	for _, recipient := range receipt.Recipients {
		if id, ok := agentOf(recipient); ok {
			agents[id] = append(agents[id], recipient)
		}
	}
	if len(agents) == 0 {
		m.dropped(ctx, ses, "no recipient names an agent")
		return nil
	}
	raw, err := m.Get(ctx, mailPrefix+ses.Mail.MessageID, maxMail)
	if err != nil {
		return err
	}
	for id, recipients := range agents {
		err := m.deliver(ctx, id, ses, channel.ReceivedMail{
			Raw: raw, Recipients: recipients, Sender: strings.Trim(ses.Mail.Source, "<>"),
			DMARC: passed(receipt.DMARCVerdict), DMARCNone: receipt.DMARCVerdict.Status == "GRAY",
			SPF: passed(receipt.SPFVerdict), DKIM: passed(receipt.DKIMVerdict),
			Spam: receipt.SpamVerdict.Status == "FAIL",
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// deliver stores a mail for an agent, if it was sent to the address of the agent's channel.
func (m *Mailbox) deliver(
	ctx context.Context, agentID int64, ses events.SimpleEmailService, mail channel.ReceivedMail,
) error {
	to, err := m.Inbound.find(ctx, addressIn{agentID, string(channel.Email)})
	var refusal *fault.Error
	if errors.As(err, &refusal) && refusal.Code == fault.Forbidden {
		m.dropped(ctx, ses, "the agent has no e-mail channel")
		return nil
	}
	if err != nil {
		return err
	}
	reader, ok := to.provider.(channel.MailReader)
	own := to.connection.Text(channel.InboundAddress)
	if !ok || !sentTo(own, mail.Recipients) {
		m.dropped(ctx, ses, "it was not sent to the inbound_address of the agent")
		return nil
	}
	updates, err := reader.ReadMail(to.connection, mail)
	if errors.Is(err, channel.ErrMalformed) {
		m.dropped(ctx, ses, "it cannot be read")
		return nil
	}
	if err != nil {
		return err
	}
	return m.Inbound.store(ctx, to, updates)
}

// dropped logs why a mail is not stored. It stays in the bucket for some days.
func (m *Mailbox) dropped(ctx context.Context, ses events.SimpleEmailService, why string) {
	m.Log.LogAttrs(ctx, slog.LevelWarn, "mail dropped",
		slog.String("mail", ses.Mail.MessageID), slog.String("why", why))
}

// agentOf returns the agent in an address such as desk-265935387343079@in.acme.example, with or without a tag
// after a plus.
func agentOf(address string) (int64, bool) {
	local, _, ok := strings.Cut(untagged(address), "@")
	id, err := strconv.ParseInt(local[strings.LastIndexByte(local, '-')+1:], 10, 64)
	return id, ok && err == nil && id > 0
}

// untagged returns an address in lower case without the tag of its local part.
func untagged(address string) string {
	local, host, _ := strings.Cut(strings.ToLower(address), "@")
	local, _, _ = strings.Cut(local, "+")
	return local + "@" + host
}

// sentTo reports whether one of the recipients is the address.
func sentTo(address string, recipients []string) bool {
	for _, recipient := range recipients {
		if untagged(recipient) == untagged(address) {
			return true
		}
	}
	return false
}
