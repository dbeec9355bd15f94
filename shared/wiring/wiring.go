// Package wiring checks at the start of a process that a service has all its dependencies.
package wiring

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"
)

// Check returns an error that names the missing dependencies of a service, such as "chat.Service lacks
// Assistant.IDs". service is a pointer to a struct. A dependency is an exported field with a pointer,
// interface, function or duration, in service or in a struct of this module that such a field points to. It
// is missing if it is the zero value and its tag is not `wiring:"optional"`.
func Check(service any) error {
	v := reflect.ValueOf(service)
	var errs []error
	for _, part := range lacking(v.Elem(), "") {
		errs = append(errs, fmt.Errorf("%s lacks %s", v.Elem().Type(), part))
	}
	return errors.Join(errs...)
}

// lacking returns the paths of the missing dependencies of a struct.
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
