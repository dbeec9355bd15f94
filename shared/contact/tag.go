package contact

import "slices"

// MaxTags is the limit of tags of a contact.
const MaxTags = 100

// Tag appends the tags that the contact does not have. It reports whether the result is within MaxTags; if
// not, the caller must not store the contact.
func (c *Contact) Tag(tags ...string) bool {
	for _, tag := range tags {
		if !slices.Contains(c.Tags, tag) {
			c.Tags = append(c.Tags, tag)
		}
	}
	return len(c.Tags) <= MaxTags
}

// Untag removes a tag.
func (c *Contact) Untag(tag string) {
	c.Tags = slices.DeleteFunc(c.Tags, func(t string) bool { return t == tag })
}
