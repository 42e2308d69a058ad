/** Types for the tests, which are TypeScript. */
export function installedPostgresPrograms(): string | undefined;
export function hasPostgresPrograms(folder: string): boolean;
