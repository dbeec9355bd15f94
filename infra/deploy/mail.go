package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
)

// checkMail reports whether SES sends for the account, where the stack receives mail and so answers it. An
// account in the sandbox of SES receives, and sends to verified addresses only. The finding is empty for a
// stack without InboundMailDomain.
func (d *deployment) checkMail(ctx context.Context) finding {
	if d.values["InboundMailDomain"] == "" {
		return finding{}
	}
	f := finding{what: "mail by SES in " + d.region}
	account, err := sesAccount(ctx, d.settings)
	switch {
	case err != nil:
		f.problem = brief(err)
		f.remedy = "Let the deploying identity call ses:GetAccount to have this checked."
	case !account.Sending:
		f.problem = "SES has switched sending off for the account"
		f.remedy = "See Amazon SES > Account dashboard for the reason."
	case !account.Production:
		f.problem = "the account is in the sandbox, which sends 200 mails a day and to verified addresses only"
		f.remedy = "Ask for production access under Amazon SES > Account dashboard. It takes a day or so."
	}
	return f
}

// A mailAccount is what SES answers about an account.
type mailAccount struct {
	Production bool `json:"ProductionAccessEnabled"`
	Sending    bool `json:"SendingEnabled"`
}

// sesAccount asks SES about the account, by one signed call of its API, version 2:
// https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_GetAccount.html
func sesAccount(ctx context.Context, settings aws.Config) (account mailAccount, err error) {
	address := "https://email." + settings.Region + ".amazonaws.com"
	if settings.BaseEndpoint != nil {
		address = strings.TrimRight(*settings.BaseEndpoint, "/")
	}
	credentials, err := settings.Credentials.Retrieve(ctx)
	if err != nil {
		return account, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address+"/v2/email/account", nil)
	if err != nil {
		return account, err
	}
	empty := sha256.Sum256(nil)
	err = v4.NewSigner().SignHTTP(ctx, credentials, req, hex.EncodeToString(empty[:]), "ses", settings.Region,
		time.Now())
	if err != nil {
		return account, err
	}
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		return account, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return account, fmt.Errorf("SES answers %s", answer.Status)
	}
	return account, json.NewDecoder(answer.Body).Decode(&account)
}
