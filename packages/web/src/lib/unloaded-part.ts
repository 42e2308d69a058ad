/** How browsers, and what the build adds for style sheets, begin to say that a file of the interface could not be loaded. */
const BEGINNINGS = [
  'Failed to fetch dynamically imported module',
  'error loading dynamically imported module',
  'Importing a module script failed',
  'Unable to preload CSS',
];

/** A part that loads when it is needed did not: the server is away, or has another version since. */
export function isUnloadedPart(error: unknown): boolean {
  return error instanceof Error && BEGINNINGS.some((text) => error.message.startsWith(text));
}
