// Package wiring checks that a service was given its parts, when the process starts rather than when a
// request first needs one.
package wiring

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"
)

// Check returns an error that names the parts which a service lacks, such as "chat.Service lacks
// Assistant.IDs". The service is a pointer to a struct. A part is an exported field that holds a pointer, an
// interface, a function or a duration, here or in a struct of this module that such a field points to; it is
// lacking where it is the zero value, unless its tag is `wiring:"optional"`.
func Check(service any) error {
	v := reflect.ValueOf(service)
	var errs []error
	for _, part := range lacking(v.Elem(), "") {
		errs = append(errs, fmt.Errorf("%s lacks %s", v.Elem().Type(), part))
	}
	return errors.Join(errs...)
}

// lacking lists the parts that a struct lacks, each with the path of fields that leads to it.
func lacking(v reflect.Value, path string) []string {
	var names []string
	for field, value := range v.Fields() {
		if !field.IsExported() || field.Tag.Get("wiring") == "optional" {
			continue
		}
		name := path + field.Name
		switch {
		case !isPart(field.Type):
		case value.IsZero():
			names = append(names, name)
		case isOwn(field.Type):
			names = append(names, lacking(value.Elem(), name+".")...)
		}
	}
	return names
}

func isPart(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Func:
		return true
	}
	return t == reflect.TypeFor[time.Duration]()
}

func isOwn(t reflect.Type) bool {
	return t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct &&
		strings.HasPrefix(t.Elem().PkgPath(), "frontdesk/")
}
