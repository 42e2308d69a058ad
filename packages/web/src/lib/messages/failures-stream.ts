/** The stream of messages that could not be read, stored or sent on. */
export const FAILURES_STREAM = '000000000000000000000004';
