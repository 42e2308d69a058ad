/** URLs with the key of a lookup in them. Keys come from messages, so whoever sends a message chooses them. */

// biome-ignore lint/suspicious/noTemplateCurlyInString: it is what people write.
const KEY = '${key}';

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
  const url = filled(template, key);
  const usual = filled(template, 'a');
  if (url === null || usual === null || url.origin !== usual.origin) return undefined;
  // A key of dots would go up in the path.
  return depth(url) === depth(usual) ? url : undefined;
}

function filled(template: string, key: string): URL | null {
  // Half of a surrogate pair cannot be encoded.
  return URL.parse(template.replaceAll(KEY, () => encodeURIComponent(key.toWellFormed())));
}

function depth({ pathname }: URL): number {
  return pathname.split('/').length;
}
