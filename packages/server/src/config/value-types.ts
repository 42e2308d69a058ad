import { isIP, isIPv4, isIPv6 } from 'node:net';
import path from 'node:path';
import { parseHostPort, Secret } from '#core/index.ts';

/** The text is not a value of the type. `expected` completes the sentence "expected …". */
export class InvalidValue {
  readonly expected: string;

  constructor(expected: string) {
    this.expected = expected;
  }
}

export interface ParseContext {
  /** What relative paths are relative to. */
  readonly cwd: string;
}

/** How the text of one kind of setting is read. */
export interface ValueType<T> {
  /** One or two words for the documentation. */
  readonly name: string;
  /** The value must not appear in errors, logs or listings. */
  readonly secret: boolean;
  /** A boolean may be given as a flag without a value. */
  readonly isSwitch: boolean;
  /** `text` is trimmed, not empty and free of control characters. */
  parse(text: string, context: ParseContext): T | InvalidValue;
}

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** One ClickHouse server and who logs in there. */
export interface ClickHouseServer {
  /** `http(s)://host:port`, without credentials. */
  readonly url: string;
  readonly username: string;
  readonly password: Secret;
}

function type<T>(
  name: string,
  parse: ValueType<T>['parse'],
  traits: { secret?: boolean; isSwitch?: boolean } = {},
): ValueType<T> {
  return { name, parse, secret: traits.secret ?? false, isSwitch: traits.isSwitch ?? false };
}

export function text(
  limits: { minLength?: number; maxLength?: number; pattern?: RegExp; expected?: string } = {},
): ValueType<string> {
  const { minLength = 1, maxLength = 4096, pattern } = limits;
  return type('text', (value) => {
    if (pattern !== undefined && !pattern.test(value))
      return new InvalidValue(limits.expected ?? 'another text');
    if (value.length < minLength) return new InvalidValue(`at least ${minLength} characters`);
    return value.length > maxLength ? new InvalidValue(`at most ${maxLength} characters`) : value;
  });
}

export function integer(range: { min: number; max: number }): ValueType<number> {
  const expected = `a whole number from ${range.min} to ${range.max}`;
  return type('integer', (value) => {
    const number = /^[+-]?\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
    return number >= range.min && number <= range.max ? number : new InvalidValue(expected);
  });
}

const TRUE_WORDS = ['true', 'yes', 'on', '1'];
const FALSE_WORDS = ['false', 'no', 'off', '0'];

export function boolean(): ValueType<boolean> {
  return type(
    'boolean',
    (value) => {
      const word = value.toLowerCase();
      if (TRUE_WORDS.includes(word)) return true;
      return FALSE_WORDS.includes(word) ? false : new InvalidValue('true or false');
    },
    { isSwitch: true },
  );
}

export function oneOf<const T extends string>(words: readonly T[]): ValueType<T> {
  const expected = `one of ${words.join(', ')}`;
  return type(words.join('|'), (value) => {
    return words.find((word) => word === value.toLowerCase()) ?? new InvalidValue(expected);
  });
}

const SIZE_UNITS = new Map([
  ['', 1],
  ['b', 1],
  ['kb', 2 ** 10],
  ['mb', 2 ** 20],
  ['gb', 2 ** 30],
  ['tb', 2 ** 40],
]);

/** Bytes. `mb` is 2^20, as it is in Graylog; `MiB` and `M` are understood as the same. */
export function size(range: { min: string; max: string }): ValueType<number> {
  const expected = `a size from ${range.min} to ${range.max} in kb, mb, gb or tb`;
  const [min, max] = [parseSize(range.min), parseSize(range.max)];
  return type('size', (value) => {
    const bytes = parseSize(value);
    return bytes >= min && bytes <= max ? bytes : new InvalidValue(expected);
  });
}

function parseSize(value: string): number {
  const match = /^(\d{1,15})\s*([a-z]*)$/.exec(value.toLowerCase());
  if (match === null) return Number.NaN;
  const [, digits, unit = ''] = match;
  const factor = SIZE_UNITS.get(unit.replace(/^([kmgt])i?b?$/, '$1b'));
  return factor === undefined ? Number.NaN : Number(digits) * factor;
}

const DURATION_UNITS = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);
const DURATION_WORDS = /^(millisecond|second|minute|hour|day)s?$/;

/** Milliseconds. A number without a unit is in `bareUnit`: Graylog has settings in both. */
export function duration(range: { min: string; max: string; bareUnit?: 'ms' | 's' }): ValueType<number> {
  const { min, max, bareUnit } = range;
  const bareHint =
    bareUnit === undefined ? '' : `; without a unit ${bareUnit === 's' ? 'seconds' : 'milliseconds'}`;
  const expected = `a time from ${min} to ${max} in ms, s, m, h or d${bareHint}`;
  const [least, most] = [parseDuration(min), parseDuration(max)];
  return type('duration', (value) => {
    const milliseconds = parseDuration(value, bareUnit);
    return milliseconds >= least && milliseconds <= most ? milliseconds : new InvalidValue(expected);
  });
}

function parseDuration(value: string, bareUnit?: string): number {
  const match = /^(\d{1,15})\s*([a-z]*)$/.exec(value.toLowerCase());
  if (match === null) return Number.NaN;
  const [, digits, word = ''] = match;
  const long = DURATION_WORDS.exec(word)?.[1];
  const unit = long === undefined ? word || bareUnit : long === 'millisecond' ? 'ms' : long.charAt(0);
  const factor = DURATION_UNITS.get(unit ?? '');
  return factor === undefined ? Number.NaN : Number(digits) * factor;
}

const HOST_NAME =
  /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*\.?$/i;

function isHost(value: string): boolean {
  // What looks like an IPv4 address must be one: 127.0.0.256 is no host name.
  if (/^[\d.]+$/.test(value)) return isIPv4(value);
  return isIPv6(value) || HOST_NAME.test(value);
}

export function host(): ValueType<string> {
  return type('host', (value) => {
    const name = value.replace(/^\[(.*)\]$/, '$1');
    return isHost(name) ? name : new InvalidValue('a host name or an IP address, such as 127.0.0.1 or ::');
  });
}

export function port(): ValueType<number> {
  const range = integer({ min: 0, max: 65535 });
  return type('port', (value, context) => {
    const number = range.parse(value, context);
    return number instanceof InvalidValue
      ? new InvalidValue('a port from 0 (any free one) to 65535')
      : number;
  });
}

export function address(): ValueType<Address> {
  const invalid = new InvalidValue('host:port, such as 127.0.0.1:9000 or [::1]:9000');
  return type('address', (value) => {
    const parsed = parseHostPort(value);
    return parsed !== undefined && isHost(parsed.host) ? parsed : invalid;
  });
}

/** `http(s)://host[:port]/path/`; a missing slash at the end is added. */
export function httpUri(): ValueType<string> {
  const invalid = new InvalidValue(
    'an address such as https://logs.example.org/, without user name, query and fragment',
  );
  return type('URI', (value) => {
    const url = URL.parse(value);
    if (url === null || !/^https?:$/.test(url.protocol)) return invalid;
    if (url.username + url.password + url.search + url.hash !== '') return invalid;
    if (!url.pathname.endsWith('/')) url.pathname += '/';
    return url.href;
  });
}

/** `https://host[:port]` and nothing more, as browsers send it. */
export function origin(): ValueType<string> {
  return type('origin', (value) => {
    const url = URL.parse(value);
    const plain = url !== null && /^https?:$/.test(url.protocol) && value.replace(/\/$/, '') === url.origin;
    return plain ? url.origin : new InvalidValue('an origin such as https://logs.example.org');
  });
}

export function subnet(): ValueType<string> {
  return type('subnet', (value) => {
    const [, ip = '', bits] = /^([0-9a-f:.]+)(?:\/(\d{1,3}))?$/i.exec(value) ?? [];
    const family = isIP(ip);
    const fits = family !== 0 && (bits === undefined || Number(bits) <= (family === 4 ? 32 : 128));
    return fits ? value : new InvalidValue('an IP address or subnet, such as 10.0.0.0/8');
  });
}

export function filePath(): ValueType<string> {
  return type('path', (value, { cwd }) => path.resolve(cwd, value));
}

export function timeZone(): ValueType<string> {
  return type('time zone', (value) => {
    // Loading the time zone data costs 40 ms, which most starts need not spend.
    if (value === 'UTC') return value;
    try {
      return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone;
    } catch {
      return new InvalidValue('a time zone such as UTC or Europe/Berlin');
    }
  });
}

export function email(): ValueType<string> {
  return type('e-mail', (value) => {
    const fits = value.length <= 254 && /^[^\s@]+@[^\s@]+$/.test(value);
    return fits ? value : new InvalidValue('an e-mail address, such as logs@example.org');
  });
}

/** Comma separated; blanks around the parts and empty parts are ignored. */
export function list<T>(element: ValueType<T>): ValueType<readonly T[]> {
  return type(
    `list of ${element.name}`,
    (value, context) => {
      const values: T[] = [];
      for (const part of value.split(',').map((word) => word.trim())) {
        if (part === '') continue;
        const parsed = element.parse(part, context);
        if (parsed instanceof InvalidValue) {
          return new InvalidValue(`a comma separated list, each ${parsed.expected}`);
        }
        values.push(parsed);
      }
      return values.length > 0 ? values : new InvalidValue('a comma separated list');
    },
    { secret: element.secret },
  );
}

export function secret(limits: { minLength?: number } = {}): ValueType<Secret> {
  const { minLength = 1 } = limits;
  return type(
    'secret',
    (value) =>
      value.length < minLength ? new InvalidValue(`at least ${minLength} characters`) : new Secret(value),
    { secret: true },
  );
}

export function sha256(): ValueType<Secret> {
  const expected = 'the 64 hex digits that `printf %s YOUR_PASSWORD | sha256sum` prints';
  return type(
    'SHA-256',
    (value) => (/^[0-9a-f]{64}$/i.test(value) ? new Secret(value.toLowerCase()) : new InvalidValue(expected)),
    { secret: true },
  );
}

export function metadataUri(): ValueType<Secret> {
  return type(
    'database URI',
    (value, { cwd }) => {
      if (value === 'sqlite::memory:') return new Secret(value);
      const file = /^sqlite:(?:\/\/(?=\/))?(.+)$/.exec(value)?.[1];
      if (file !== undefined) return new Secret(`sqlite:${path.resolve(cwd, file)}`);
      if (/^postgres(?:ql)?:\/\//.test(value) && URL.canParse(value)) return new Secret(value);
      return new InvalidValue(
        'sqlite:<file> or postgres://user:password@host:5432/database, special characters percent-encoded',
      );
    },
    { secret: true },
  );
}

export function clickHouseServer(): ValueType<ClickHouseServer> {
  const invalid = new InvalidValue('http(s)://user:password@host:8123, special characters percent-encoded');
  return type(
    'URI',
    (value) => {
      const url = URL.parse(value);
      if (url === null || !/^https?:$/.test(url.protocol)) return invalid;
      if (!/^\/?$/.test(url.pathname) || url.search + url.hash !== '') return invalid;
      try {
        return {
          url: url.origin,
          username: decodeURIComponent(url.username) || 'default',
          password: new Secret(decodeURIComponent(url.password)),
        };
      } catch {
        return invalid;
      }
    },
    { secret: true },
  );
}
