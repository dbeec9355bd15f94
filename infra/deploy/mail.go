package main

import (
	"context"

	"frontdesk/shared/channel/email"
)

// checkMail reports whether SES sends for the account, where the stack receives mail and so answers it. An
// account in the sandbox of SES receives, and sends to verified addresses only. The finding is empty for a
// stack without InboundMailDomain.
func (d *deployment) checkMail(ctx context.Context) finding {
	if d.values["InboundMailDomain"] == "" {
		return finding{}
	}
	f := finding{what: "mail by SES in " + d.region}
	account, err := email.ReadSESAccount(ctx, d.settings)
	switch {
	case err != nil:
		f.problem = brief(err)
		f.remedy = "Let the deploying identity call ses:GetAccount to have this checked."
	case !account.Sending:
		f.problem = "SES has switched sending off for the account"
		f.remedy = "See Amazon SES > Account dashboard for the reason."
	case !account.Production:
		f.problem = "the account is in the sandbox, which sends 200 mails a day and to verified addresses " +
			"only"
		f.remedy = "Ask for production access under Amazon SES > Account dashboard. It takes a day or so."
	}
	return f
}
