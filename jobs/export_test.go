package jobs

// Patience is how long a question to the store may take.
const Patience = patience
