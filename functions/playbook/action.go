package playbook

import (
	"context"
	"slices"

	"frontdesk/shared/api"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/event"
	"frontdesk/shared/fault"
	"frontdesk/shared/opt"
	"frontdesk/shared/playbook"
	"frontdesk/shared/secret"
)

// actions registers the endpoints of actions. Their secrets are sealed when they are stored and never shown.
func (s *Service) actions(r *api.Router) {
	c := newCollection[playbook.Action, itemIn](s, playbook.Actions, "item_id", "an action", "actions")
	c.show = showAction
	c.handleRows(r)
	const description = "What `config` needs follows from `action_type`: `url` for fire_webhook, `tag` for " +
		"add_tag and remove_tag, " +
		"`stage` for set_stage, `priority` for set_priority, `message` for send_message. An action whose " +
		"`config` is left out " +
		"or empty is kept with `configured` false and never runs. The trigger keyword needs a condition on " +
		"`message`, " +
		"intent_detected one on `intent`. A fire_webhook action sends `{event: \"action.fire_webhook\", " +
		"action_name, agent_id, contact_id, " +
		"contact_name, conversation_id, data}` by POST, with three attempts as webhooks have them; " +
		"`X-Service-Signature` is the HMAC-SHA256 of " +
		"the body under the secret, in bare hexadecimal digits. `conversation_id` is 0 for what happened " +
		"in no conversation, and `data` " +
		"has the `trigger` and what belongs to it. The other types take effect in the background, shortly " +
		"after what happened and once for it: " +
		"on the contact, or on the conversation that it happened in, which for what happened in none is " +
		"the contact's latest. The message of " +
		"send_message counts as the agent's; a contact who has opted out gets none, nor on WhatsApp one " +
		"whose last message there is 24 hours " +
		"old. What an action does sets off no other actions. While the agent is paused no action runs."
	handleCreate[createAction](r, c, description+" At most 1000 to an agent.")
	handleUpdate[updateAction](r, c,
		"So does what is not sent of `config`, but for what another `action_type` does not need. "+
			description)
	api.Handle(r, "GET "+c.row+"runs/", api.Doc{
		ID:      "listActionRuns",
		Summary: "List the runs of an action",
		Description: "The latest 100 of the last 30 days, the newest first, all at once. What its limits " +
			"or its conditions kept from running is not among them.",
	}, s.listRuns)
}

// listRuns answers the latest runs of an action. The log is bounded, so it has no pages.
func (s *Service) listRuns(ctx context.Context, in itemIn) (api.List[playbook.ActionRun], error) {
	log, err := playbook.Log(ctx, s.Table, accountOf(ctx), in.AgentID, in.ItemID)
	return api.List[playbook.ActionRun]{Count: int64(len(log)), Results: log}, err
}

// showAction replaces the secret by a placeholder.
func showAction(a playbook.Action) playbook.Action {
	if a.Config.Secret != "" {
		a.Config.Secret = secret.Set
	}
	return a
}

type actionFields struct {
	TriggerOn       opt.Value[event.Trigger]        `json:"trigger_on" doc:"What has to happen. Default message_received." example:"intent_detected"`
	Config          configFields                    `json:"config"`
	Conditions      opt.Value[[]playbook.Condition] `json:"conditions" check:"items=20" doc:"What has to be true as well, all of it."`
	CooldownSeconds opt.Value[int]                  `json:"cooldown_seconds" check:"range=0..2592000" doc:"How long after a run it does not run again for the same contact; at most 30 days. Default 0." example:"3600"`
	MaxPerContact   opt.Value[int]                  `json:"max_per_contact" check:"range=0..1000000" doc:"How often it runs for one contact, ever. 0, the default, is no limit." example:"3"`
	MaxPerDay       opt.Value[int]                  `json:"max_per_day" check:"range=0..1000000" doc:"How often it runs in a day of the agent's time zone, for all contacts. 0, the default, is no limit." example:"0"`
	IsActive        opt.Value[bool]                 `json:"is_active" doc:"Whether it runs. Default true." example:"true"`
}

// configFields are the configuration of all types of actions. Each type uses some of them.
type configFields struct {
	URL      opt.Value[string]                `json:"url" check:"format=url" doc:"Of fire_webhook: an https address on the public internet." example:"https://example.com/hooks/crm"`
	Secret   opt.Value[string]                `json:"secret" check:"null,max=255" doc:"Of fire_webhook, to sign the calls with. It is never shown: __set__ stands for it, and sent back leaves it as it is. Null or an empty text takes it away." example:"__set__"`
	Tag      opt.Value[string]                `json:"tag" check:"cut=100" doc:"Of add_tag and remove_tag." example:"vip"`
	Stage    opt.Value[contact.Stage]         `json:"stage" doc:"Of set_stage." example:"customer"`
	Priority opt.Value[conversation.Priority] `json:"priority" doc:"Of set_priority." example:"high"`
	Message  opt.Value[string]                `json:"message" check:"cut=4000" doc:"Of send_message." example:"Thank you!"`
}

// sent reports whether the body had any of the fields.
func (in configFields) sent() bool {
	return in.URL.Set || in.Secret.Set || in.Tag.Set || in.Stage.Set || in.Priority.Set || in.Message.Set
}

// apply sets the configuration. Fields that the type does not use are dropped, and a missing one is an error
// only where some field was sent: an action without configuration is stored, but never runs.
func (in configFields) apply(ctx context.Context, s *Service, a *playbook.Action) error {
	c := &a.Config
	in.URL.To(&c.URL)
	in.Tag.To(&c.Tag)
	in.Stage.To(&c.Stage)
	in.Priority.To(&c.Priority)
	in.Message.To(&c.Message)
	if in.URL.Set && s.Web.Check(c.URL) != nil && c.URL != "" {
		return fault.Invalid("config.url",
			"The field config.url must be an address that begins with https://.")
	}
	// The placeholder means that the stored secret stays. A new one is sealed with the action's place, so
	// that a copy of it elsewhere cannot be opened.
	if in.Secret.Set && in.Secret.Value != secret.Set {
		c.Secret = ""
		if in.Secret.Value != "" && a.ActionType == playbook.FireWebhook {
			var err error
			if c.Secret, err = s.Secrets.Seal(ctx, a.SecretPlace(accountOf(ctx)),
				secret.Plain(in.Secret.Value)); err != nil {
				return err
			}
		}
	}
	*c = c.For(a.ActionType)
	missing := c.Missing(a.ActionType)
	if missing != "" && in.sent() {
		return fault.Invalid("config."+missing, "The field config.%s is required for action_type %s.",
			missing, a.ActionType)
	}
	a.Configured = missing == ""
	return nil
}

func (in actionFields) apply(ctx context.Context, s *Service, a *playbook.Action) error {
	in.TriggerOn.To(&a.TriggerOn)
	in.Conditions.To(&a.Conditions)
	in.CooldownSeconds.To(&a.CooldownSeconds)
	in.MaxPerContact.To(&a.MaxPerContact)
	in.MaxPerDay.To(&a.MaxPerDay)
	in.IsActive.To(&a.IsActive)
	if err := checkConditions(a.TriggerOn, a.Conditions); err != nil {
		return err
	}
	return in.Config.apply(ctx, s, a)
}

// checkConditions refuses malformed conditions, and triggers that would fire on every message without one.
func checkConditions(t event.Trigger, conditions []playbook.Condition) error {
	for i, c := range conditions {
		if problem := c.Problem(); problem != "" {
			return fault.Invalid("conditions", "In entry %d of the field conditions %s.", i, problem)
		}
	}
	for waitsFor, subject := range map[event.Trigger]playbook.Subject{
		event.OnKeyword: playbook.OfMessage, event.OnIntentDetected: playbook.OfIntent,
	} {
		if t == waitsFor && !slices.ContainsFunc(conditions,
			func(c playbook.Condition) bool { return c.Field == subject }) {
			return fault.Invalid("conditions", "The field conditions needs one on %s for trigger_on %s.",
				subject, waitsFor)
		}
	}
	return nil
}

type createAction struct {
	agentIn
	Name       string              `json:"name" check:"required,cut=200" example:"Tell the CRM"`
	ActionType playbook.ActionType `json:"action_type" check:"required" example:"fire_webhook"`
	actionFields
}

func (in createAction) apply(ctx context.Context, s *Service, a *playbook.Action) error {
	a.Name, a.ActionType, a.TriggerOn = in.Name, in.ActionType, event.OnMessageReceived
	a.Conditions, a.IsActive = []playbook.Condition{}, true
	return in.actionFields.apply(ctx, s, a)
}

type updateAction struct {
	itemIn
	Name       opt.Value[string]              `json:"name" check:"cut=200,filled" example:"Tell the CRM"`
	ActionType opt.Value[playbook.ActionType] `json:"action_type" example:"fire_webhook"`
	actionFields
}

func (in updateAction) apply(ctx context.Context, s *Service, a *playbook.Action) error {
	in.Name.To(&a.Name)
	in.ActionType.To(&a.ActionType)
	return in.actionFields.apply(ctx, s, a)
}
