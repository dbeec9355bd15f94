package contact

import "slices"

// MaxTags is how many tags a contact may have: what people can still look over.
const MaxTags = 100

// Tag adds those tags that the contact does not have, behind the others. It reports whether there was room;
// else the contact has more than it may.
func (c *Contact) Tag(tags ...string) bool {
	for _, tag := range tags {
		if !slices.Contains(c.Tags, tag) {
			c.Tags = append(c.Tags, tag)
		}
	}
	return len(c.Tags) <= MaxTags
}

// Untag takes a tag away.
func (c *Contact) Untag(tag string) {
	c.Tags = slices.DeleteFunc(c.Tags, func(t string) bool { return t == tag })
}
