// Package effects shows that everything a business can configure has an effect. Its test walks the writable
// fields of the API's description and wants, for each of those of an agent and its playbook, a case that
// changes the field through the API and finds the difference in what a visitor gets, or in what a language
// model is told. So a field that nothing heeds fails, and one that is new too.
package effects
