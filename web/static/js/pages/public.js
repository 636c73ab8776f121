// The public pages.
import '../search.js'
import '../keep.js'
import '../share.js'
import '../copy.js'
import '../once.js'
import '../typed.js'
import '../find.js'
import '../map.js'
