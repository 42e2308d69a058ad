import { isIPv4, isIPv6 } from 'node:net';
import path from 'node:path';
import { formatHostPort, type HostPort, parseHostPort } from '../host-port.ts';
import { Secret } from '../secret.ts';
import { InvalidValue, textType, type ValueType } from './value-type.ts';

const LONGEST_LINE = 4096;
const LONGEST_TEXT = 100_000;

export interface TextLimits {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: RegExp;
  /** What a text is expected to be that does not match the pattern. */
  readonly expected?: string;
  /** What a text is expected to be when it is not right; undefined when it is. */
  readonly check?: (text: string) => string | undefined;
  /** Shown in a box of several lines. */
  readonly multiline?: boolean;
}

export function text(limits: TextLimits = {}): ValueType<string> {
  const { minLength = 1, maxLength = limits.multiline ? LONGEST_TEXT : LONGEST_LINE, pattern } = limits;
  return textType({
    name: 'text',
    shape: {
      jsonSchema: { type: 'string', ...(minLength > 1 && { minLength }), maxLength },
      ...(limits.multiline && { attributes: ['textarea'] }),
    },
    parse(value) {
      if (pattern !== undefined && !pattern.test(value)) {
        return new InvalidValue(limits.expected ?? `a text that matches ${pattern}`);
      }
      if (value.length < minLength) return tooShort(minLength);
      if (value.length > maxLength) return new InvalidValue(`a text of at most ${maxLength} characters`);
      const expected = limits.check?.(value);
      return expected === undefined ? value : new InvalidValue(expected);
    },
    write: (value) => value,
  });
}

function tooShort(minLength: number): InvalidValue {
  return new InvalidValue(`a text of at least ${minLength} ${minLength === 1 ? 'character' : 'characters'}`);
}

/** A text that nobody sees again once it is set. */
export function secret(limits: { readonly minLength?: number } = {}): ValueType<Secret> {
  const { minLength = 1 } = limits;
  return textType({
    name: 'secret',
    secret: true,
    parse: (value) => (value.length < minLength ? tooShort(minLength) : new Secret(value)),
    write: (value) => value.reveal(),
  });
}

/** One of the keys; the values are how people read them. */
export function choice<const Value extends string>(
  values: Readonly<Record<Value, string>>,
): ValueType<Value> {
  const words = Object.keys(values) as Value[];
  const expected = `one of ${words.join(', ')}`;
  return textType({
    name: words.join('|'),
    shape: { control: 'dropdown', jsonSchema: { type: 'string', enum: words }, values },
    parse: (given) =>
      words.find((word) => word === given) ??
      words.find((word) => word.toLowerCase() === given.toLowerCase()) ??
      new InvalidValue(expected),
    write: (value) => value,
  });
}

/** The same, answered as it was written: clients that send `lower` compare it with what they get. */
export function choiceAsWritten(values: Readonly<Record<string, string>>): ValueType<string> {
  const { parse, ...type } = choice(values);
  return textType<string>({
    ...type,
    parse(given, context) {
      const word = parse(given, context);
      return word instanceof InvalidValue ? word : given;
    },
    write: (value) => value,
  });
}

/** One of some words that need no explanation. */
export function oneOf<const Value extends string>(words: readonly Value[]): ValueType<Value> {
  const values: Record<string, string> = Object.fromEntries(words.map((word) => [word, word]));
  return choice(values as Record<Value, string>);
}

const HOST_NAME =
  /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*\.?$/i;

function isHost(value: string): boolean {
  // What looks like an IPv4 address must be one: 127.0.0.256 is not a host name.
  if (/^[\d.]+$/.test(value)) return isIPv4(value);
  return isIPv6(value) || HOST_NAME.test(value);
}

export function host(): ValueType<string> {
  return textType({
    name: 'host',
    parse(value) {
      const name = value.replace(/^\[(.*)\]$/, '$1');
      return isHost(name) ? name : new InvalidValue('a host name or an IP address, such as 127.0.0.1 or ::');
    },
    write: (value) => value,
  });
}

export function address(): ValueType<HostPort> {
  const invalid = new InvalidValue('host:port, such as 127.0.0.1:9000 or [::1]:9000');
  return textType({
    name: 'address',
    parse(value) {
      const parsed = parseHostPort(value);
      return parsed !== undefined && isHost(parsed.host) ? parsed : invalid;
    },
    write: (value) => formatHostPort(value.host, value.port),
  });
}

/** `http(s)://host[:port]/path/` of a site; a missing slash at the end is added. */
export function httpUri(): ValueType<string> {
  const invalid = new InvalidValue(
    'an address such as https://logs.example.org/, without user name, query and fragment',
  );
  return textType({
    name: 'URI',
    parse(value) {
      const url = URL.parse(value);
      if (url === null || !/^https?:$/.test(url.protocol)) return invalid;
      if (url.username + url.password + url.search + url.hash !== '') return invalid;
      if (!url.pathname.endsWith('/')) url.pathname += '/';
      return url.href;
    },
    write: (value) => value,
  });
}

/** Any http or https URL to call. Credentials have fields of their own, where they are kept secret. */
export function httpUrl(): ValueType<string> {
  return textType({
    name: 'URL',
    shape: { jsonSchema: { type: 'string', format: 'uri' } },
    parse(value) {
      const url = URL.parse(value);
      const fits = url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === '';
      return fits
        ? url.href
        : new InvalidValue('a URL such as https://hooks.example.org/logs, without user name and password');
    },
    write: (value) => value,
  });
}

/** Made absolute where relative paths have a meaning. */
export function filePath(): ValueType<string> {
  return textType({
    name: 'path',
    parse: (value, { cwd }) => (cwd === undefined ? value : path.resolve(cwd, value)),
    write: (value) => value,
  });
}

export function timeZone(): ValueType<string> {
  return textType({
    name: 'time zone',
    parse(value) {
      // Loading the time zone data costs 40 ms, which most starts need not spend.
      if (value === 'UTC') return value;
      try {
        return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone;
      } catch {
        return new InvalidValue('a time zone such as UTC or Europe/Berlin');
      }
    },
    write: (value) => value,
  });
}

export function email(): ValueType<string> {
  return textType({
    name: 'e-mail',
    shape: { jsonSchema: { type: 'string', format: 'email' } },
    parse(value) {
      const fits = value.length <= 254 && /^[^\s@]+@[^\s@]+$/.test(value);
      return fits ? value : new InvalidValue('an e-mail address, such as logs@example.org');
    },
    write: (value) => value,
  });
}
