// Lists and all other pages of the administration, the console and signing in.
import '../swap.js'
import '../palette.js'
import '../form.js'
import '../clip.js'
import '../list.js'
import '../tree.js'
import '../session.js'
import '../lines.js'
