/**
 * The query part of our URLs. Values are plain text: `q=404` is the text 404, never a number, which is why the
 * router's own JSON form is not used. Characters that people write in queries and times stay readable; what is
 * written is never changed again by the browser's URL parser, so comparing addresses works.
 */
export type SearchParams = Readonly<Record<string, string>>;

/** Besides what `encodeURIComponent` leaves alone. */
const READABLE = new Map([
  ['%3A', ':'],
  ['%2F', '/'],
  ['%2C', ','],
  ['%40', '@'],
  ['%3B', ';'],
  ['%24', '$'],
  ['%3F', '?'],
  ['%20', '+'],
  ['%3D', '='],
]);

export function encodeValue(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replace(/%[0-9A-F]{2}/g, (code) => READABLE.get(code) ?? code)
    .replaceAll("'", '%27');
}

function encodeKey(text: string): string {
  return encodeValue(text).replaceAll('=', '%3D');
}

function decode(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    // A % that somebody typed into the address bar.
    return spaced;
  }
}

/** `?q=404&t=6h` as values by name. Of a name that stands there twice, the first one counts. */
export function parseSearch(search: string): SearchParams {
  const params: Record<string, string> = {};
  for (const pair of search.replace(/^\?/, '').split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const key = decode(equals < 0 ? pair : pair.slice(0, equals));
    if (key === '__proto__' || Object.hasOwn(params, key)) continue;
    params[key] = equals < 0 ? '' : decode(pair.slice(equals + 1));
  }
  return params;
}

/** The opposite of `parseSearch`, with the question mark. Values that are not there are left out. */
export function stringifySearch(params: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(params)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([key, value]) => `${encodeKey(key)}=${encodeValue(String(value))}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}
