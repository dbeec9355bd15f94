package habits

// longLines are the folders whose lines may still be longer than maxColumns. Nothing is added here.
const longLines = `
functions/agents
functions/channels
functions/conversations
functions/jobs/funnels
functions/messages
functions/widget
functions/widget/lambda
infra/admin
infra/contract
infra/costs
infra/deploy
infra/deploy/emulated
infra/effects
infra/eval
infra/eventsource
infra/lambda
infra/local
infra/local/frontdesk
infra/phrasing
infra/product
infra/stack
infra/tools/bundle
infra/train
shared/ai
shared/ai/bedrock
shared/ai/builtin
shared/ai/faq
shared/ai/llm
shared/ai/llm/llmtest
shared/ai/openai
shared/api
shared/assistant
shared/booking
shared/channel
shared/channel/internal/graph
shared/channel/webchat
shared/channel/whatsapp
shared/conversation
shared/funnel
shared/knowledge
shared/language
shared/page
shared/playbook
shared/text
shared/understand
shared/understand/classify
shared/when
`

// longFunctions are those that may still be longer than maxFunction. Nothing is added here.
const longFunctions = `
infra/train.important
`

// complexFunctions are those that may still be more complex than maxBranches. Nothing is added here.
const complexFunctions = `
shared/ai/builtin.answer
shared/assistant/skill/products.product
shared/booking.book
shared/booking.decide
shared/booking.time
shared/channel/whatsapp.read
shared/text.bullet
shared/text.clock
shared/text.phone
shared/understand/classify.Words
shared/when.day
shared/when.hours
shared/when.numeric
`
