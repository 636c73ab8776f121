// The library of pictures, and the settings.
import '../swap.js'
import '../palette.js'
import '../form.js'
import '../media.js'
import '../image.js'
