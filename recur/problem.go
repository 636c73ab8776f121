package recur

// Problem is one thing wrong with a rule or a set.
type Problem struct {
	Part  string // RRULE, RDATE, EXDATE, DTSTART, a part of a rule ("BYDAY") or of the short form ("on")
	Code  string // one of the codes below
	Value string // what was written, or belongs to it
	N     int    // the limit that was passed
}

// The codes of problems. Callers map them to texts; they are never renamed.
const (
	Missing      = "missing"         // FREQ, or the whole rule, is not there
	Syntax       = "syntax"          // not written as the RFC says
	Unknown      = "unknown_part"    // a part, property or parameter that is not known here
	Unsupported  = "unsupported"     // a FREQ that is not taken: SECONDLY, MINUTELY, HOURLY
	PartRefused  = "part_refused"    // a part that is known, and not taken: BYSECOND, RSCALE, SKIP
	Obsolete     = "obsolete"        // EXRULE, which RFC 5545 has taken away
	Blank        = "blank"           // a blank within a rule
	Duplicate    = "duplicate"       // the part is there twice
	Empty        = "empty"           // the part has no value
	OutOfRange   = "out_of_range"    // a number or date that does not exist, or is forbidden
	NotWithFreq  = "not_with_freq"   // the part is not allowed with this FREQ, Value
	Numbered     = "numbered_day"    // BYDAY has a number where it means nothing
	CountUntil   = "count_and_until" // both ends are given
	SetPosAlone  = "setpos_alone"    // BYSETPOS without another BY… part
	UntilEarly   = "until_before_start"
	Never        = "never"          // the rule has no date at all
	StartMissed  = "start_missed"   // no rule names DTSTART; see Nearest
	OtherStart   = "other_start"    // DTSTART among the lines is not that of the series
	NotInSeries  = "not_in_series"  // EXDATE of a date that is none
	TooManyADay  = "too_many_a_day" // more than N on Value
	TooLong      = "too_long"       // more than N bytes of rules
	TooManyDates = "too_many_dates" // more than N of RDATE or EXDATE
	Period       = "period"         // RDATE with a length of its own; its start is taken
	Unclear      = "unclear"        // the short form says nothing that a rule could be made of
	Every        = "every"          // what the short form says of "every" is no period
	NoZone       = "unknown_zone"   // TZID that is not known
)
