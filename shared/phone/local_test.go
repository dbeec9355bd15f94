package phone

import "testing"

func TestLocal(t *testing.T) {
	for _, test := range []struct{ s, like, want string }{
		{"0151 23456789", "+493012345678", "+4915123456789"},
		{"(415) 555-0123", "+12025550100", "+14155550123"},
		{"612 345 678", "+34911222333", "+34612345678"},
		{"12", "+493012345678", ""},
		{"+34612345678", "+493012345678", ""},
		{"0151 23456789", "", ""},
		{"0151 23456789", "+999123", ""},
	} {
		if got, ok := Local(test.s, test.like); got != test.want || ok != (test.want != "") {
			t.Errorf("%q in the country of %q is %q, %v; want %q", test.s, test.like, got, ok, test.want)
		}
	}
}
