package args

// Paging are the arguments that choose a page of a list.
type Paging struct {
	Page    Opt[int] `arg:"page,default=1,min=1,max=1000000000,nonull"`
	PerPage Opt[int] `arg:"per_page,default=15,min=1,nonull"`
}

// mostPerPage is the greatest length of a page.
const mostPerPage = 50

// Number returns the number of the page, from 1.
func (p *Paging) Number() int { return p.Page.Or(1) }

// Length returns the number of entries per page; more than 50 become 50.
func (p *Paging) Length() int { return min(p.PerPage.Or(15), mostPerPage) }
