package api

import "reflect"

// An Opt is a field of a body that may be left out, as in a PATCH. With the rule "null" it may also be null.
type Opt[T any] struct {
	Set   bool // the field was there
	Null  bool // it was null; Value is the zero value
	Value T
}

// Or returns the value that was sent, or else the one given.
func (o Opt[T]) Or(other T) T {
	if o.Set {
		return o.Value
	}
	return other
}

// To puts the value that was sent, if one was, where dst points.
func (o Opt[T]) To(dst *T) {
	if o.Set {
		*dst = o.Value
	}
}

// An optional is an Opt of any type.
type optional interface {
	// open returns where the value goes, and marks the field as sent.
	open(null bool) reflect.Value
	valueType() reflect.Type
}

func (o *Opt[T]) open(null bool) reflect.Value {
	o.Set, o.Null = true, null
	return reflect.ValueOf(&o.Value).Elem()
}

func (o *Opt[T]) valueType() reflect.Type { return reflect.TypeFor[T]() }

// optionalType returns the T of an Opt[T].
func optionalType(t reflect.Type) (reflect.Type, bool) {
	if o, ok := reflect.Zero(reflect.PointerTo(t)).Interface().(optional); ok {
		return o.valueType(), true
	}
	return nil, false
}
