/** The range of ClickHouse's DateTime64(3), in milliseconds since the epoch: 1900 to 2299. */
export const MIN_TIMESTAMP_MS = Date.UTC(1900, 0, 1);
export const MAX_TIMESTAMP_MS = Date.UTC(2299, 11, 31, 23, 59, 59, 999);
