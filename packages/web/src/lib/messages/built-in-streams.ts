/** The stream of messages that could not be read, stored or sent on. */
export const FAILURES_STREAM = '000000000000000000000004';
/** The stream of events: what conditions and event definitions have found. */
export const EVENTS_STREAM = '000000000000000000000002';
