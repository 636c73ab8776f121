package tenancy

import "slices"

// Role is what a user is on a site (rule 2.3).
type Role string

// The roles, from most to least rights. NoRole is the anonymous visitor's.
const (
	Administrator Role = "administrator"
	Editor        Role = "editor"
	Author        Role = "author"
	Contributor   Role = "contributor"
	Subscriber    Role = "subscriber"
	NoRole        Role = ""
)

// Roles lists the roles a user can have.
func Roles() []Role { return []Role{Administrator, Editor, Author, Contributor, Subscriber} }

// Permission is a right; rights add up in a bit mask.
type Permission uint16

// The rights (rule 2.3).
const (
	EditOwn          Permission = 1 << iota // create, and change one's own unpublished items
	Publish                                 // publish, and change one's own published items
	EditOthers                              // change other people's items
	ReadOthers                              // read other people's unpublished items
	SetAuthor                               // give an item to another author
	ManageCategories                        // make, change and remove categories
	ManageTags                              // make, change and remove tags
	Upload                                  // add images, and change one's own
	ManageUsers                             // invite people, change their roles
	ManageSite                              // change the site's settings
)

// Rights returns what a role may do.
func (r Role) Rights() Permission {
	switch r {
	case Administrator:
		return EditOwn | Publish | EditOthers | ReadOthers | SetAuthor | ManageCategories | ManageTags | Upload | ManageUsers | ManageSite
	case Editor:
		return EditOwn | Publish | EditOthers | ReadOthers | SetAuthor | ManageCategories | ManageTags | Upload
	case Author:
		return EditOwn | Publish | ManageCategories | Upload
	case Contributor:
		return EditOwn | Upload
	}
	return 0
}

// Valid reports whether r is one of Roles.
func (r Role) Valid() bool {
	return slices.Contains(Roles(), r)
}
