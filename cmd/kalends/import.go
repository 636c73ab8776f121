package main

// importer are the commands that bring events into a site.
type importer struct {
	CSV importCSV `cmd:"" name:"csv" help:"Import events from a CSV file in the columns of The Events Calendar."`
}

type importCSV struct {
	File   string `arg:"" type:"existingfile" help:"The file."`
	Site   string `required:"" help:"The site."`
	DryRun bool   `help:"Check everything and keep nothing."`
}

// Run implements the command.
func (c *importCSV) Run(p *program) error { return nil }
