// Package opt has values that may be missing, such as the fields of a PATCH.
package opt

import "reflect"

// A Value is a field of a request that may be missing. With the rule "null" it may also be null. The zero
// Value is missing.
type Value[T any] struct {
	Set   bool // the field was sent
	Null  bool // it was null; Value is the zero value
	Value T
}

// Or returns the value, or other if it is missing.
func (v Value[T]) Or(other T) T {
	if v.Set {
		return v.Value
	}
	return other
}

// To stores the value in dst unless it is missing.
func (v Value[T]) To(dst *T) {
	if v.Set {
		*dst = v.Value
	}
}

// A Field is a pointer to a Value of any type, for decoders.
type Field interface {
	// Open marks the field as sent and returns the destination of its value.
	Open(null bool) reflect.Value
	// Type returns the type of the value.
	Type() reflect.Type
}

// Open implements [Field].
func (v *Value[T]) Open(null bool) reflect.Value {
	v.Set, v.Null = true, null
	return reflect.ValueOf(&v.Value).Elem()
}

// Type implements [Field].
func (v *Value[T]) Type() reflect.Type { return reflect.TypeFor[T]() }

// TypeOf returns the T of the type Value[T]; ok is false for other types.
func TypeOf(t reflect.Type) (_ reflect.Type, ok bool) {
	f, ok := reflect.Zero(reflect.PointerTo(t)).Interface().(Field)
	if !ok {
		return nil, false
	}
	return f.Type(), true
}
