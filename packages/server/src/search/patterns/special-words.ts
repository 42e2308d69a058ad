/** Words that vary as a whole, recognised at their start. */

/** The kind of the varying part. `any`: values of no common kind. */
export type VariableKind = 'number' | 'id' | 'address' | 'time' | 'path' | 'url' | 'email' | 'any';

const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const CLOCK = '\\d{1,2}:\\d{2}:\\d{2}(?:[.,:]\\d{1,9})?';
const ZONE = '(?: ?(?:Z|UTC|GMT|[+-]\\d{2}:?\\d{2}))?(?!\\w)';
/** The units of sizes, durations and shares differ between messages. */
const UNIT = '(?: ?(?:[kKMGTP]i?[bB]|bytes|[bB]|ms|us|ns|µs|secs?|s|mins?|hours?|hrs?|%)(?![\\w.]))?';
const TOP_LEVEL = 'com|net|org|edu|gov|info|local|internal|arpa';

/** In the order they are tried. All are sticky: they match only at `lastIndex`. */
export const SPECIAL_WORDS: readonly { readonly kind: VariableKind; readonly expression: RegExp }[] = [
  sticky('time', `\\d{4}[-/.]\\d{1,2}[-/.]\\d{1,2}(?:(?:[T_:]| {1,2})${CLOCK})?${ZONE}`),
  sticky('time', `\\d{1,2}[-/]${MONTH}[-/]\\d{4}(?:[: ]${CLOCK})?${ZONE}`),
  sticky('time', `${CLOCK}${ZONE}`),
  sticky('id', '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}(?![\\w-])'),
  sticky('address', '/?\\d{1,3}(?:\\.\\d{1,3}){3}(?:/\\d{1,2}|:\\d{1,5})?(?![\\w-]|\\.\\w)'),
  sticky('address', '(?:[0-9a-fA-F]{2}[:-]){5}[0-9a-fA-F]{2}(?![\\w:-])'),
  sticky('address', '(?=[a-fA-F:]{0,39}\\d)(?:[0-9a-fA-F]{1,4}:){1,7}(?::[0-9a-fA-F]{1,4}){1,6}(?![\\w:])'),
  sticky('address', '(?:[0-9a-fA-F]{1,4}:){7}[0-9a-fA-F]{1,4}(?![\\w:])'),
  sticky(
    'address',
    `[\\w-]{1,63}(?:\\.[\\w-]{1,63}){0,8}\\.(?:${TOP_LEVEL}|[a-z]{2})(?::\\d{1,5})?(?![\\w-]|\\.\\w)`,
  ),
  sticky('url', '\\+?[a-zA-Z][a-zA-Z0-9+.-]{1,20}://[^\\s"\'<>()[\\]{},;|]{1,1000}'),
  sticky('email', '[\\w.+-]{1,64}@[\\w-]{1,64}(?:\\.[\\w-]{1,64}){1,6}'),
  sticky('path', '[A-Za-z]:\\\\[^\\s"\'<>|,;()[\\]{}=]{0,1000}'),
  sticky('path', '/[^\\s"\'<>|,;()[\\]{}=:?&]{1,1000}(?:\\?[^\\s"\'<>]{0,1000})?'),
  sticky('id', '0[xX][0-9a-fA-F]{1,64}(?!\\w)'),
  sticky('number', `[-+]?\\d{1,40}(?:[.,]\\d{1,40}){0,6}(?:[eE][-+]?\\d{1,4})?${UNIT}(?![\\w/-]|\\.\\w)`),
];

/** Host names without a digit; those with a digit are among the words above. */
export const HOST_NAME = new RegExp(`\\.(?:${TOP_LEVEL})(?:\\.[a-z]{2})?$`);

const DAY_AND_MONTH_NAMES: ReadonlySet<string> = new Set(
  'Mon Tue Wed Thu Fri Sat Sun Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' '),
);
const DATE = new RegExp(
  `(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? )?(?:${MONTH} {1,2}\\d{1,2}|\\d{1,2} ${MONTH})(?:,? \\d{4})?(?: ${CLOCK})?${ZONE}(?: \\d{4}(?!\\w))?`,
  'y',
);

/** The end of a date that starts with this word (`Fri Jun 17 07:07:00 2005`); 0 if it is not a date. */
export function endOfDate(word: string, text: string, from: number): number {
  if (word.length !== 3 || !DAY_AND_MONTH_NAMES.has(word)) return 0;
  DATE.lastIndex = from;
  return DATE.test(text) ? DATE.lastIndex : 0;
}

function sticky(kind: VariableKind, source: string): { kind: VariableKind; expression: RegExp } {
  return { kind, expression: new RegExp(source, 'y') };
}
