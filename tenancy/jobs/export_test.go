package jobs

// StoreTimeout is the time limit of a query to the store.
const StoreTimeout = storeTimeout
