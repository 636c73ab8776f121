// The reference of the API, besides what all public pages have.
import '../reference.js'
