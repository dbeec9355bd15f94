package channel

import "slices"

// A Registry knows the providers of all channels. Package registry makes the one of the product.
type Registry struct {
	order []Type
	by    map[Type]Provider
}

// NewRegistry returns a registry of providers, in the order in which channels are listed. It panics where two
// are of one type, which is a mistake of the program.
func NewRegistry(providers ...Provider) *Registry {
	r := &Registry{by: map[Type]Provider{}}
	for _, p := range providers {
		t := p.Info().Type
		if r.by[t] != nil {
			panic("channel: two providers of " + string(t))
		}
		r.order, r.by[t] = append(r.order, t), p
	}
	return r
}

// Provider returns the provider of a type, and whether there is one.
func (r *Registry) Provider(t Type) (Provider, bool) {
	p, ok := r.by[t]
	return p, ok
}

// Info describes a channel; the zero Info where there is no such type.
func (r *Registry) Info(t Type) Info {
	if p, ok := r.by[t]; ok {
		return p.Info()
	}
	return Info{}
}

// Unavailable says, in whole sentences, why the service cannot send by a channel whatever its settings; ""
// where it can.
func (r *Registry) Unavailable(t Type) string {
	if c, ok := r.by[t].(Conditional); ok {
		return c.Unavailable()
	}
	return ""
}

// Types lists the types, in their order.
func (r *Registry) Types() []Type { return slices.Clone(r.order) }

// Connectable lists the types that have settings, in their order.
func (r *Registry) Connectable() []Type {
	return slices.DeleteFunc(r.Types(), func(t Type) bool { return len(r.Info(t).Fields) == 0 })
}
