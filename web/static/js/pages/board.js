// The calendar of the administration.
import '../swap.js'
import '../palette.js'
import '../board.js'
import '../drag.js'
