import { isIP } from 'node:net';
import path from 'node:path';
import { InvalidValue, Secret, types, type ValueType } from '#core/index.ts';

/** Types of value that only the settings of a node have. The others are in `core/schema`. */

/** One ClickHouse server and who logs in there. */
export interface ClickHouseServer {
  /** `http(s)://host:port`, without credentials. */
  readonly url: string;
  readonly username: string;
  readonly password: Secret;
  /** Where the other servers reach it, if there are several. */
  readonly nativePort?: number;
  /** The other servers of the same shard. */
  readonly replicas?: readonly ClickHouseServer[];
}

/** `https://host[:port]` and nothing more, as browsers send it. */
export function origin(): ValueType<string> {
  return types.textType({
    name: 'origin',
    parse(value) {
      const url = URL.parse(value);
      const plain = url !== null && /^https?:$/.test(url.protocol) && value.replace(/\/$/, '') === url.origin;
      return plain ? url.origin : new InvalidValue('an origin such as https://logs.example.org');
    },
    write: (value) => value,
  });
}

export function subnet(): ValueType<string> {
  return types.textType({
    name: 'subnet',
    parse(value) {
      const [, ip = '', bits] = /^([0-9a-f:.]+)(?:\/(\d{1,3}))?$/i.exec(value) ?? [];
      const family = isIP(ip);
      const fits = family !== 0 && (bits === undefined || Number(bits) <= (family === 4 ? 32 : 128));
      return fits ? value : new InvalidValue('an IP address or subnet, such as 10.0.0.0/8');
    },
    write: (value) => value,
  });
}

export function sha256(): ValueType<Secret> {
  const expected = 'the 64 hex digits that `printf %s YOUR_PASSWORD | sha256sum` prints';
  return types.textType({
    name: 'SHA-256',
    secret: true,
    parse: (value) =>
      /^[0-9a-f]{64}$/i.test(value) ? new Secret(value.toLowerCase()) : new InvalidValue(expected),
    write: (value) => value.reveal(),
  });
}

export function metadataUri(): ValueType<Secret> {
  return types.textType({
    name: 'database URI',
    secret: true,
    parse(value, { cwd = '.' }) {
      if (value === 'sqlite::memory:') return new Secret(value);
      const file = /^sqlite:(?:\/\/(?=\/))?(.+)$/.exec(value)?.[1];
      if (file !== undefined) return new Secret(`sqlite:${path.resolve(cwd, file)}`);
      if (/^postgres(?:ql)?:\/\//.test(value) && URL.canParse(value)) return new Secret(value);
      return new InvalidValue(
        'sqlite:<file> or postgres://user:password@host:5432/database, special characters percent-encoded',
      );
    },
    write: (value) => value.reveal(),
  });
}

const NATIVE_PORT = /^\?native_port=(\d{1,5})$/;

function isPort(text: string | undefined): boolean {
  const port = Number(text);
  return port >= 1 && port <= 65_535;
}

/** Servers with the same messages stand together, with `|` between them. */
const BETWEEN_REPLICAS = /\s*\|\s*(?=https?:\/\/)/;

/** A server, or several that are the replicas of a shard. */
export function clickHouseShard(): ValueType<ClickHouseServer> {
  const invalid = new InvalidValue(
    'http(s)://user:password@host:8123, special characters percent-encoded; between servers ?native_port=9000',
  );
  return types.textType({
    name: 'URI',
    secret: true,
    parse(value) {
      const parts = value.split(BETWEEN_REPLICAS);
      const [first, ...others] = parts.flatMap((part) => parseServer(part) ?? []);
      if (first === undefined || others.length + 1 < parts.length) return invalid;
      return others.length === 0 ? first : { ...first, replicas: others };
    },
    write: ({ replicas = [], ...first }) => [first, ...replicas].map(writeServer).join('|'),
  });
}

function parseServer(value: string): ClickHouseServer | undefined {
  const url = URL.parse(value);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  const nativePort = NATIVE_PORT.exec(url.search)?.[1];
  if (!/^\/?$/.test(url.pathname) || url.hash !== '') return undefined;
  if (url.search !== '' && !isPort(nativePort)) return undefined;
  try {
    return {
      url: url.origin,
      username: decodeURIComponent(url.username) || 'default',
      password: new Secret(decodeURIComponent(url.password)),
      ...(nativePort !== undefined && { nativePort: Number(nativePort) }),
    };
  } catch {
    return undefined;
  }
}

function writeServer(server: ClickHouseServer): string {
  const url = new URL(server.url);
  url.username = encodeURIComponent(server.username);
  url.password = encodeURIComponent(server.password.reveal());
  if (server.nativePort !== undefined) url.search = `?native_port=${server.nativePort}`;
  return url.href;
}

const PACKAGE_NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;

export function packageName(): ValueType<string> {
  return types.textType({
    name: 'package name',
    parse: (value) =>
      PACKAGE_NAME.test(value)
        ? value
        : new InvalidValue('the name of an npm package, such as @example/output'),
    write: (value) => value,
  });
}

/** A plugin that may be loaded. */
export interface AllowedPluginSetting {
  readonly name: string;
  /** In hex; undefined: its files may be any. */
  readonly sha256: string | undefined;
}

export function allowedPlugin(): ValueType<AllowedPluginSetting> {
  return types.textType({
    name: 'plugin',
    parse(value) {
      const [, name = '', sha256] = /^([^=]+?)(?:=sha256:([0-9a-f]{64}))?$/i.exec(value) ?? [];
      if (!PACKAGE_NAME.test(name)) {
        return new InvalidValue('the name of a plugin, or NAME=sha256: and 64 hex digits');
      }
      return { name, sha256: sha256?.toLowerCase() };
    },
    write: ({ name, sha256 }) => (sha256 === undefined ? name : `${name}=sha256:${sha256}`),
  });
}
