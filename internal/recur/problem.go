package recur

// Problem is one thing wrong with a rule or a set.
type Problem struct {
	Part  string // RRULE, RDATE, EXDATE, DTSTART, a part of a rule ("BYDAY") or a key of the short form ("on")
	Code  string // one of the codes below
	Value string // the offending value, or one that explains the problem
	N     int    // the limit that was exceeded
}

// The codes of problems. Callers map them to texts, so they must never be renamed.
const (
	Missing      = "missing"         // FREQ, or the whole rule, is missing
	Syntax       = "syntax"          // violates the RFC's syntax
	Unknown      = "unknown_part"    // an unrecognized part, property or parameter
	Unsupported  = "unsupported"     // a FREQ that is not supported: SECONDLY, MINUTELY, HOURLY
	PartRefused  = "part_refused"    // a known part that is not supported: BYSECOND, RSCALE, SKIP
	Obsolete     = "obsolete"        // EXRULE, which RFC 5545 removed
	Blank        = "blank"           // whitespace within a rule
	Duplicate    = "duplicate"       // the part occurs twice
	Empty        = "empty"           // the part has no value
	OutOfRange   = "out_of_range"    // a number or date that does not exist or is not allowed
	NotWithFreq  = "not_with_freq"   // the part is not allowed with the FREQ in Value
	Numbered     = "numbered_day"    // BYDAY has a number where numbers are meaningless
	CountUntil   = "count_and_until" // both COUNT and UNTIL are given
	SetPosAlone  = "setpos_alone"    // BYSETPOS without another BY… part
	UntilEarly   = "until_before_start"
	Never        = "never"          // the rule has no date at all
	StartMissed  = "start_missed"   // no rule yields DTSTART; see Nearest
	OtherStart   = "other_start"    // DTSTART among the lines differs from the start of the series
	TooManyADay  = "too_many_a_day" // more than N dates on day Value
	TooLong      = "too_long"       // more than N bytes of rules
	TooManyDates = "too_many_dates" // more than N RDATEs or EXDATEs
	TooManyRules = "too_many_rules" // more than N RRULEs
	Period       = "period"         // RDATE with a period, of which only the start is used
	Unclear      = "unclear"        // the short form cannot be turned into a rule
	Every        = "every"          // "every" of the short form is not a period
	NoZone       = "unknown_zone"   // unknown TZID
)
