package channel

import "slices"

// A Registry has the providers of all channels. Package registry creates the product's.
type Registry struct {
	order []Type
	by    map[Type]Provider
}

// NewRegistry returns a registry of providers, in display order. It panics if two have the same type.
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

// Provider returns the provider of a type; ok is false if there is none.
func (r *Registry) Provider(t Type) (Provider, bool) {
	p, ok := r.by[t]
	return p, ok
}

// Info returns the Info of a type, or the zero Info.
func (r *Registry) Info(t Type) Info {
	if p, ok := r.by[t]; ok {
		return p.Info()
	}
	return Info{}
}

// Unavailable returns in whole sentences why the service cannot send over a channel, whatever its settings,
// or "".
func (r *Registry) Unavailable(t Type) string {
	if c, ok := r.by[t].(Conditional); ok {
		return c.Unavailable()
	}
	return ""
}

// Types returns the types in their order.
func (r *Registry) Types() []Type { return slices.Clone(r.order) }

// Connectable returns the types with settings in their order.
func (r *Registry) Connectable() []Type {
	return slices.DeleteFunc(r.Types(), func(t Type) bool { return len(r.Info(t).Fields) == 0 })
}
