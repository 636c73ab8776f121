package jobs

// Patience is the time limit of a query to the store.
const Patience = patience
