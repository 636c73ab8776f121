package tenancy

import "slices"

// Role is the role of a user on a site (rule 2.3).
type Role string

// The roles, from most to least rights. NoRole is the role of the anonymous visitor.
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

// Permission is a right, or several rights as a bit mask.
type Permission uint16

// The rights (rule 2.3).
const (
	EditOwn          Permission = 1 << iota // create items, and change one's own unpublished items
	Publish                                 // publish items, and change one's own published items
	EditOthers                              // change other people's items
	ReadOthers                              // read other people's unpublished items
	SetAuthor                               // set another author for an item
	ManageCategories                        // create, change and remove categories
	ManageTags                              // create, change and remove tags
	Upload                                  // add images, and change one's own images
	ManageUsers                             // invite people and change their roles
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
