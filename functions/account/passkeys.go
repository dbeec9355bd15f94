package account

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"frontdesk/shared/api"
	"frontdesk/shared/auth"
	"frontdesk/shared/fault"
	"frontdesk/shared/table"
)

// passkeyRoutes registers the endpoints for passkeys (WebAuthn Level 2).
func (s *Service) passkeyRoutes(r *api.Router) {
	api.Handle(r, "POST /session/passkey-request/", api.Doc{
		ID:      "requestPasskey",
		Summary: "Ask for a challenge to sign in with a passkey",
		Description: "The challenge goes into `navigator.credentials.get`, and can be answered once, " +
			"within 5 minutes. Passkeys need a host name: at an IP address there are none.",
		Status: http.StatusCreated, Public: true, Errors: []fault.Code{fault.BadRequest, fault.Forbidden},
	}, s.passkeyRequest)
	api.Handle(r, "POST /session/passkey/", api.Doc{
		ID:      "signInWithPasskey",
		Summary: "Sign in with a passkey",
		Description: "Takes what `navigator.credentials.get` gave and begins a session, as " +
			"`POST /session/` does. All fields are in base64url without padding.",
		Status: http.StatusCreated, Public: true,
		Errors: []fault.Code{fault.AuthenticationRequired, fault.Forbidden},
	}, s.signInWithPasskey)
	api.Handle(r, "POST /session/passkey-creation/", api.Doc{
		ID:      "beginPasskey",
		Summary: "Ask for a challenge to make a passkey",
		Description: "The answer goes into `navigator.credentials.create`. The challenge can be answered " +
			"once, within 5 minutes, by the member who is signed in. With an API key nobody is.",
		Status: http.StatusCreated, Unaudited: true, Errors: []fault.Code{fault.BadRequest, fault.Forbidden},
	}, s.passkeyCreation)
	api.Handle(r, "GET /passkeys/", api.Doc{
		Summary:     "List passkeys",
		Description: "By member, oldest first. Members of the role `agent` see their own.",
	}, s.passkeys)
	api.Handle(r, "POST /passkeys/", api.Doc{
		ID:      "addPasskey",
		Summary: "Add a passkey of one's own",
		Description: "Takes what `navigator.credentials.create` gave for a challenge of " +
			"`POST /session/passkey-creation/`. A member may have 20 passkeys.",
		Status: http.StatusCreated, Errors: []fault.Code{fault.PlanLimit, fault.Forbidden},
	}, s.addPasskey)
	api.Handle(r, "DELETE /passkeys/{id}/", api.Doc{
		Summary: "Remove a passkey", Description: "It signs nobody in any more; sessions that it began go " +
			"on. Members of the role `agent` may remove their own.",
		Status: http.StatusNoContent,
	}, s.removePasskey)
}

// relyingParty returns the WebAuthn relying party of the host that the request was sent to. An IP address
// cannot have passkeys: WebAuthn requires a domain.
func relyingParty(ctx context.Context) (*webauthn.WebAuthn, error) {
	site, err := url.Parse(api.SiteURL(ctx))
	if err != nil {
		return nil, err
	}
	host := site.Hostname()
	if _, err := netip.ParseAddr(host); err == nil || host == "" {
		return nil, fault.New(fault.BadRequest, "Passkeys need a host name. Open the dashboard by the name "+
			"of its host, which on this machine is localhost.")
	}
	party, err := webauthn.New(&webauthn.Config{
		RPID: host, RPDisplayName: "Frontdesk", RPOrigins: []string{site.Scheme + "://" + site.Host},
	})
	if err != nil {
		return nil, fault.New(fault.BadRequest, "This host cannot have passkeys.")
	}
	return party, nil
}

// challenge creates and stores a challenge with what c says. A challenge can be answered once.
func (s *Service) challenge(ctx context.Context, c auth.Challenge) (string, auth.Challenge, error) {
	party, err := relyingParty(ctx)
	if err != nil {
		return "", auth.Challenge{}, err
	}
	random, err := protocol.CreateChallenge()
	if err != nil {
		return "", auth.Challenge{}, err
	}
	c.RelyingParty = party.Config.RPID
	kept, err := s.workspaces().StoreChallenge(ctx, random.String(), c)
	return random.String(), kept, err
}

// A PasskeyRequest is what navigator.credentials.get needs.
type PasskeyRequest struct {
	Challenge string    `json:"challenge" doc:"In base64url." example:"p9ZpTq0rbK0n2cXw8yJm5vQeD1sL7uFhA3gNxT6iRkE"`
	RPID      string    `json:"rp_id" doc:"The host name that the passkey has to be of." example:"api.example.com"`
	ExpiresAt time.Time `json:"expires_at"`
}

func (s *Service) passkeyRequest(ctx context.Context, _ api.None) (PasskeyRequest, error) {
	ctx, err := s.attempt(ctx)
	if err != nil {
		return PasskeyRequest{}, err
	}
	text, kept, err := s.challenge(ctx, auth.Challenge{})
	return PasskeyRequest{text, kept.RelyingParty, kept.ExpiresAt}, err
}

// A PasskeyCreation is what navigator.credentials.create needs.
type PasskeyCreation struct {
	PasskeyRequest
	UserID     string   `json:"user_id" doc:"Who the member is, in base64url." example:"MjE5NDgyMTEyMDAwMDAxLzIxOTQ4MjExMjAwMDAwMw"`
	UserName   string   `json:"user_name" doc:"What passkeys are listed by on the member's devices." example:"Ada Lovelace (Acme)"`
	Algorithms []int    `json:"algorithms" doc:"The COSE algorithms that are known, the best first." example:"[-7, -8, -257]"`
	Exclude    []string `json:"exclude" doc:"The ids of the credentials that the member has, in base64url." example:"[\"q1w2e3r4t5y6u7i8o9p0aa\"]"`
}

// signedIn returns the caller, or Forbidden if the request was made with an API key.
func signedIn(ctx context.Context) (auth.Caller, error) {
	caller := auth.CallerOf(ctx)
	if !caller.SignedIn() {
		return caller, fault.New(fault.Forbidden, "Passkeys are made by members who are signed in, not with "+
			"an API key.")
	}
	return caller, nil
}

// passkeyCreation answers a challenge that only the calling member can answer. Exclude lists the member's
// credentials, so that a device does not register twice.
func (s *Service) passkeyCreation(ctx context.Context, _ api.None) (PasskeyCreation, error) {
	caller, err := signedIn(ctx)
	if err != nil {
		return PasskeyCreation{}, err
	}
	known, err := s.workspaces().Passkeys(ctx, caller.Account.ID, caller.Member.ID)
	if err != nil {
		return PasskeyCreation{}, err
	}
	text, kept, err := s.challenge(ctx,
		auth.Challenge{Account: caller.Account.ID, Member: caller.Member.ID})
	if err != nil {
		return PasskeyCreation{}, err
	}
	user := owner{account: caller.Account.ID, member: caller.Member.ID}
	creation := PasskeyCreation{
		PasskeyRequest: PasskeyRequest{text, kept.RelyingParty, kept.ExpiresAt},
		UserID:         base64.RawURLEncoding.EncodeToString(user.WebAuthnID()),
		UserName:       fmt.Sprintf("%s (%s)", caller.Member.Name, caller.Account.Name),
		Exclude:        []string{},
	}
	for _, p := range algorithms {
		creation.Algorithms = append(creation.Algorithms, int(p.Algorithm))
	}
	for _, p := range known {
		creation.Exclude = append(creation.Exclude, base64.RawURLEncoding.EncodeToString(p.CredentialID))
	}
	return creation, nil
}

// algorithms are the accepted COSE algorithms: ES256, EdDSA and RS256. Every authenticator supports one of
// them.
var algorithms = []protocol.CredentialParameter{
	{Type: protocol.PublicKeyCredentialType, Algorithm: -7},
	{Type: protocol.PublicKeyCredentialType, Algorithm: -8},
	{Type: protocol.PublicKeyCredentialType, Algorithm: -257},
}

// owner is the member whose passkeys are verified. It implements webauthn.User.
type owner struct {
	account, member int64
	passkeys        []auth.Passkey
}

// WebAuthnID returns the user handle. It contains the workspace and the member, so a sign-in needs no lookup.
func (o owner) WebAuthnID() []byte { return fmt.Appendf(nil, "%d/%d", o.account, o.member) }

// WebAuthnName implements webauthn.User. Verification does not use names.
func (o owner) WebAuthnName() string { return "" }

// WebAuthnDisplayName implements webauthn.User.
func (o owner) WebAuthnDisplayName() string { return "" }

// WebAuthnCredentials returns the member's passkeys.
func (o owner) WebAuthnCredentials() []webauthn.Credential {
	var credentials []webauthn.Credential
	for _, p := range o.passkeys {
		credentials = append(credentials, webauthn.Credential{
			ID: p.CredentialID, PublicKey: p.PublicKey,
			Flags:         webauthn.CredentialFlags{BackupEligible: p.BackupEligible},
			Authenticator: webauthn.Authenticator{SignCount: p.SignCount},
		})
	}
	return credentials
}

// parseHandle parses what WebAuthnID returns. ok is false for any other spelling.
func parseHandle(handle []byte) (owner, bool) {
	account, member, _ := strings.Cut(string(handle), "/")
	a, errA := strconv.ParseInt(account, 10, 64)
	m, errM := strconv.ParseInt(member, 10, 64)
	o := owner{account: a, member: m}
	return o, errA == nil && errM == nil && a > 0 && m > 0 && string(o.WebAuthnID()) == string(handle)
}

// decode reads a base64url field with or without padding. Its error names the field.
func decode(field, text string) (protocol.URLEncodedBase64, error) {
	decoded, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(text, "="))
	if err != nil {
		return nil, fault.Invalid(field, "This is not in base64url.")
	}
	return decoded, nil
}

// credential returns the part that both kinds of browser answers have in common.
func credential(id string, raw []byte) protocol.PublicKeyCredential {
	return protocol.PublicKeyCredential{
		Credential: protocol.Credential{ID: id, Type: string(protocol.PublicKeyCredentialType)}, RawID: raw,
	}
}

type addPasskeyIn struct {
	Name              string `json:"name" check:"required,trim,max=100" example:"Ada's phone"`
	CredentialID      string `json:"credential_id" check:"required,max=1400" doc:"id, in base64url." example:"q1w2e3r4t5y6u7i8o9p0aa"`
	ClientData        string `json:"client_data" check:"required,max=8000" doc:"clientDataJSON, in base64url." example:"eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0"`
	AttestationObject string `json:"attestation_object" check:"required,max=16000" doc:"attestationObject, in base64url." example:"o2NmbXRkbm9uZWdhdHRTdG10oA"`
}

// errChallenge is the error for an answer without a valid challenge of this member and host.
func errChallenge() error {
	return fault.New(fault.BadRequest, "The passkey could not be verified: its challenge has been answered, "+
		"has expired or is another member's, or it was made for another address. Begin again.")
}

func (in addPasskeyIn) parse() (*protocol.ParsedCredentialCreationData, error) {
	id, errID := decode("credential_id", in.CredentialID)
	data, errData := decode("client_data", in.ClientData)
	object, errObject := decode("attestation_object", in.AttestationObject)
	if err := errors.Join(errID, errData, errObject); err != nil {
		return nil, err
	}
	parsed, err := protocol.CredentialCreationResponse{
		PublicKeyCredential: credential(in.CredentialID, id),
		AttestationResponse: protocol.AuthenticatorAttestationResponse{
			AuthenticatorResponse: protocol.AuthenticatorResponse{ClientDataJSON: data},
			AttestationObject:     object,
		},
	}.Parse()
	if err != nil {
		return nil, fault.New(fault.BadRequest, "This is not what a browser makes of a new passkey.")
	}
	return parsed, nil
}

// addPasskey verifies the browser's answer and stores the passkey. The challenge is read first and deleted by
// AddPasskey in the transaction that stores the passkey, so that it is answered once.
func (s *Service) addPasskey(ctx context.Context, in addPasskeyIn) (Passkey, error) {
	caller, err := signedIn(ctx)
	if err != nil {
		return Passkey{}, err
	}
	party, err := relyingParty(ctx)
	if err != nil {
		return Passkey{}, err
	}
	parsed, err := in.parse()
	if err != nil {
		return Passkey{}, err
	}
	text := parsed.Response.CollectedClientData.Challenge
	kept, err := s.workspaces().ReadChallenge(ctx, text)
	if errors.Is(err, table.ErrNotFound) {
		return Passkey{}, errChallenge()
	}
	if err != nil {
		return Passkey{}, err
	}
	// A challenge belongs to one member and one host. One for signing in has no member and is refused here.
	user := owner{account: caller.Account.ID, member: caller.Member.ID}
	if kept.Account != user.account || kept.Member != user.member ||
		kept.RelyingParty != party.Config.RPID {
		return Passkey{}, errChallenge()
	}
	made, err := party.CreateCredential(user, webauthn.SessionData{
		Challenge: text, RelyingPartyID: kept.RelyingParty, UserID: user.WebAuthnID(),
		UserVerification: protocol.VerificationPreferred, CredParams: algorithms,
	}, parsed)
	if err != nil {
		return Passkey{}, errChallenge()
	}
	added, err := s.workspaces().AddPasskey(ctx, text, caller, auth.Passkey{
		Name: in.Name, RelyingParty: kept.RelyingParty, CredentialID: made.ID, PublicKey: made.PublicKey,
		SignCount: made.Authenticator.SignCount, BackupEligible: made.Flags.BackupEligible,
	})
	// Another request answered the same challenge in the meantime.
	if errors.Is(err, table.ErrNotFound) {
		return Passkey{}, errChallenge()
	}
	return showPasskey(added), err
}

type signInWithPasskeyIn struct {
	CredentialID      string `json:"credential_id" check:"required,max=1400" doc:"id." example:"q1w2e3r4t5y6u7i8o9p0aa"`
	ClientData        string `json:"client_data" check:"required,max=8000" doc:"clientDataJSON." example:"eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0"`
	AuthenticatorData string `json:"authenticator_data" check:"required,max=2000" doc:"authenticatorData." example:"SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ"`
	Signature         string `json:"signature" check:"required,max=2000" doc:"signature." example:"MEUCIQDx"`
	UserHandle        string `json:"user_handle" check:"required,max=100" doc:"userHandle." example:"MjE5NDgyMTEyMDAwMDAxLzIxOTQ4MjExMjAwMDAwMw"`
}

func (in signInWithPasskeyIn) parse() (*protocol.ParsedCredentialAssertionData, error) {
	id, errID := decode("credential_id", in.CredentialID)
	data, errData := decode("client_data", in.ClientData)
	authenticator, errAuthenticator := decode("authenticator_data", in.AuthenticatorData)
	signature, errSignature := decode("signature", in.Signature)
	handle, errHandle := decode("user_handle", in.UserHandle)
	if err := errors.Join(errID, errData, errAuthenticator, errSignature, errHandle); err != nil {
		return nil, err
	}
	parsed, err := protocol.CredentialAssertionResponse{
		PublicKeyCredential: credential(in.CredentialID, id),
		AssertionResponse: protocol.AuthenticatorAssertionResponse{
			AuthenticatorResponse: protocol.AuthenticatorResponse{ClientDataJSON: data},
			AuthenticatorData:     authenticator, Signature: signature, UserHandle: handle,
		},
	}.Parse()
	if err != nil {
		return nil, auth.ErrPasskeyRefused()
	}
	return parsed, nil
}

// signInWithPasskey begins a session. It answers the same error whether the passkey, the challenge or the
// member is unknown, so that nothing can be learnt by trying.
func (s *Service) signInWithPasskey(ctx context.Context, in signInWithPasskeyIn) (Session, error) {
	req := api.RequestOf(ctx)
	ctx, err := s.attempt(ctx)
	if err != nil {
		return Session{}, err
	}
	parsed, err := in.parse()
	if err != nil {
		return Session{}, err
	}
	account, used, err := s.verify(ctx, parsed)
	if err != nil {
		return Session{}, err
	}
	signed, err := s.workspaces().SignInByPasskey(ctx, parsed.Response.CollectedClientData.Challenge, account,
		used, auth.Browser{UserAgent: req.UserAgent(), Address: api.CallerAddress(ctx)})
	if err != nil {
		return Session{}, err
	}
	return begin(ctx, signed)
}

// verify returns the workspace and the passkey that answered the challenge, with its new sign count. It
// returns ErrPasskeyRefused if the answer is wrong, or if the sign count shows that the passkey was copied
// (WebAuthn Level 2, section 6.1.1).
func (s *Service) verify(ctx context.Context, parsed *protocol.ParsedCredentialAssertionData) (int64,
	auth.Passkey, error) {
	party, err := relyingParty(ctx)
	if err != nil {
		return 0, auth.Passkey{}, err
	}
	user, ok := parseHandle(parsed.Response.UserHandle)
	if !ok {
		return 0, auth.Passkey{}, auth.ErrPasskeyRefused()
	}
	text := parsed.Response.CollectedClientData.Challenge
	// A challenge for creating a passkey names a member and is refused here.
	kept, err := s.workspaces().ReadChallenge(ctx, text)
	if errors.Is(err, table.ErrNotFound) || err == nil && (kept.Member != 0 ||
		kept.RelyingParty != party.Config.RPID) {
		return 0, auth.Passkey{}, auth.ErrPasskeyRefused()
	}
	if err != nil {
		return 0, auth.Passkey{}, err
	}
	if user.passkeys, err = s.workspaces().Passkeys(ctx, user.account, user.member); err != nil {
		return 0, auth.Passkey{}, err
	}
	found := func(_, _ []byte) (webauthn.User, error) { return user, nil }
	_, verified, err := party.ValidatePasskeyLogin(found, webauthn.SessionData{
		Challenge: text, RelyingPartyID: kept.RelyingParty, UserVerification: protocol.VerificationPreferred,
	}, parsed)
	if err != nil || verified.Authenticator.CloneWarning {
		return 0, auth.Passkey{}, auth.ErrPasskeyRefused()
	}
	// The library compares credential ids only; a passkey of another host of this service is refused here.
	for _, p := range user.passkeys {
		if string(p.CredentialID) == string(verified.ID) && p.RelyingParty == kept.RelyingParty {
			p.SignCount = verified.Authenticator.SignCount
			return user.account, p, nil
		}
	}
	return 0, auth.Passkey{}, auth.ErrPasskeyRefused()
}

// A Passkey is a credential that a member signs in with, instead of a link.
type Passkey struct {
	ID        int64      `json:"id" example:"219482112000011"`
	MemberID  int64      `json:"member_id" example:"219482112000003"`
	Name      string     `json:"name" example:"Ada's phone"`
	CreatedAt time.Time  `json:"created_at"`
	UsedAt    *time.Time `json:"used_at" doc:"When the member last signed in with it; null where that has not happened."`
}

func showPasskey(p auth.Passkey) Passkey {
	shown := Passkey{ID: p.ID, MemberID: p.MemberID, Name: p.Name, CreatedAt: p.CreatedAt}
	if !p.UsedAt.IsZero() {
		shown.UsedAt = &p.UsedAt
	}
	return shown
}

// passkeys lists the passkeys that the caller may see. A member has few, so one query counts them.
func (s *Service) passkeys(ctx context.Context, in api.PageIn) (api.List[Passkey], error) {
	visible := auth.CallerOf(ctx).VisiblePasskeys()
	return api.Paginate(ctx, s.Table, in, api.Listing[Passkey]{
		Query: visible,
		Count: func(ctx context.Context) (int64, error) {
			page, err := s.Table.Query(ctx, visible)
			return int64(len(page.Items)), err
		},
		Item: func(item table.Item) (Passkey, error) {
			p, err := auth.ReadPasskey(item)
			return showPasskey(p), err
		},
	})
}

func (s *Service) removePasskey(ctx context.Context, in idIn) (api.None, error) {
	return api.None{}, notFound(s.workspaces().RemovePasskey(ctx, auth.CallerOf(ctx), in.ID))
}
