package habits

// longLines are the folders whose lines may still be longer than maxColumns. Nothing is added here.
const longLines = `
infra/deploy
infra/deploy/emulated
infra/eval
infra/train
shared/ai/builtin
shared/api
shared/assistant
shared/language
shared/page
`

// longFunctions are those that may still be longer than maxFunction. Nothing is added here.
const longFunctions = `
infra/train.important
`

// complexFunctions are those that may still be more complex than maxBranches. Nothing is added here.
const complexFunctions = `
shared/assistant/skill/products.product
shared/booking.decide
shared/booking.time
shared/text.bullet
shared/text.clock
shared/text.phone
shared/understand/classify.Words
shared/when.day
shared/when.hours
shared/when.numeric
`
