// The calendar on other sites.
import '../embed.js'
