// The calendar of the administration.
import '../swap.js'
import '../board.js'
