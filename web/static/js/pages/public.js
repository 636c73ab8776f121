// The public pages.
import '../search.js'
import '../visitor.js'
import '../clip.js'
import '../form.js'
import '../filter.js'
import '../map.js'
