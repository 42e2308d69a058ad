/** URLs with the key of a lookup in them. Keys come from messages, so whoever sends a message chooses them. */

// biome-ignore lint/suspicious/noTemplateCurlyInString: it is what people write.
const KEY = '${key}';
/** Stands for the key where a URL is read; nothing in it changes when a URL is parsed. */
const ANY_KEY = 'AnyLookupKey';
/** What URL parsers understand as this folder or the one above it. */
const DOTS = /^(?:\.|%2e){1,2}$/i;
/** Some servers decode a path before they resolve it. */
const SEPARATOR = /\/|%2f|%5c/i;

/** What is wrong with a template; undefined: nothing. */
export function problemOfTemplate(template: string): string | undefined {
  if (!template.includes(KEY)) return `must contain ${KEY}, which stands for the key`;
  const [one, other] = [filled(template, 'a'), filled(template, 'b')];
  if (one === null || other === null || !/^https?:$/.test(one.protocol))
    return 'must be a URL that begins with http:// or https://';
  if (one.username + one.password !== '')
    return 'must have no user name and password; send an Authorization header (secret_headers)';
  if (one.origin !== other.origin)
    return `must have ${KEY} in its path or its query, not in the name of the server`;
  return undefined;
}

/** Undefined: the key would lead to another place than the template. */
export function urlOf(template: string, key: string): URL | undefined {
  if (key === '') return undefined;
  const url = filled(template, key);
  const usual = filled(template, ANY_KEY);
  if (url === null || usual === null || url.origin !== usual.origin) return undefined;
  // Looked for in the path with the key's place still in it: the parser has already resolved the dots in `url`.
  const path = usual.pathname.replaceAll(ANY_KEY, () => encoded(key));
  return path.split(SEPARATOR).some((segment) => DOTS.test(segment)) ? undefined : url;
}

function filled(template: string, key: string): URL | null {
  return URL.parse(template.replaceAll(KEY, () => encoded(key)));
}

function encoded(key: string): string {
  // Half of a surrogate pair cannot be encoded.
  return encodeURIComponent(key.toWellFormed());
}
