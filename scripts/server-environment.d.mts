/** For benchmarks and tests, which are in TypeScript. Scripts run before it is there. */
export const SERVER_ENVIRONMENT: Readonly<Record<string, string>>;
export const SERVER_FLAGS: readonly string[];
