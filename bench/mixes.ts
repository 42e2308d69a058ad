/**
 * The messages benchmarks run on: GELF as JSON text, the same in every run. Three mixes:
 *
 *   web    access log lines, about 366 bytes, 7 extra fields, one of them a UUID
 *   text   lines of system and application logs, about 286 bytes, 2 or 3 extra fields
 *   wide   Windows events, about 1780 bytes, some 40 of 200 different extra fields each
 *
 * What compresses and what does not is the point of them: ids, addresses and numbers are random, words come from
 * lists, and lists are used as unevenly as the real ones are. Instead of a mix a file can be given by its path,
 * with one GELF message a line.
 */
import fs from 'node:fs';

export interface Mix {
  readonly name: string;
  /** The GELF message number `index`, without anything that ends it. */
  message(index: number): string;
}

export type MixName = 'web' | 'text' | 'wide';
export const MIX_NAMES: readonly MixName[] = ['web', 'text', 'wide'];

const START = Date.UTC(2026, 0, 5, 8) / 1000;

/** A generator that gives the same numbers for the same seed. */
class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0;
  }

  /** From 0 to 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  /** Small numbers far more often than large ones. */
  skewed(limit: number): number {
    return Math.floor(limit * this.next() ** 3);
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  often<T>(list: readonly T[]): T {
    return list[this.skewed(list.length)] as T;
  }

  hex(digits: number): string {
    let text = '';
    while (text.length < digits)
      text += this.below(2 ** 32)
        .toString(16)
        .padStart(8, '0');
    return text.slice(0, digits);
  }

  uuid(): string {
    return [8, 4, 4, 4, 12].map((digits) => this.hex(digits)).join('-');
  }

  address(): string {
    return `10.${this.skewed(16)}.${this.below(256)}.${this.below(256)}`;
  }
}

/** Some thousand messages a second, each a little later than the one before. */
function timestamp(index: number, random: Random): number {
  return Math.round((START + index / 5000 + random.next() / 1000) * 1000) / 1000;
}

const METHODS = ['GET', 'GET', 'GET', 'POST', 'PUT', 'DELETE'];
const STATUSES = [200, 200, 200, 200, 304, 201, 404, 401, 500, 503];
const RESOURCES = ['products', 'cart', 'users', 'orders', 'search', 'login', 'images', 'prices', 'reviews'];
const AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/141.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0) Safari/605.1',
  'Mozilla/5.0 (X11; Linux x86_64) Firefox/143.0',
  'okhttp/4.12.0',
  'curl/8.14.1',
];

function webMessage(index: number): string {
  const random = new Random(index);
  const method = random.of(METHODS);
  const path = `/api/v2/${random.often(RESOURCES)}/${random.skewed(100_000)}`;
  const status = random.often(STATUSES);
  const duration = Math.round(random.next() ** 4 * 200_000) / 100;
  return JSON.stringify({
    version: '1.1',
    host: `web-${random.below(12)}`,
    short_message: `${method} ${path} ${status} ${duration}ms`,
    timestamp: timestamp(index, random),
    level: status >= 500 ? 3 : 6,
    _http_method: method,
    _http_path: path,
    _http_status: status,
    _took_ms: duration,
    _client_ip: random.address(),
    _user_agent: random.often(AGENTS),
    _request_id: random.uuid(),
  });
}

type Line = (random: Random) => {
  readonly application: string;
  readonly text: string;
  readonly level: number;
};

const USERS = ['root', 'admin', 'deploy', 'postgres', 'guest', 'test', 'oracle', 'git', 'backup', 'nagios'];
const CLASSES = [
  'BlockManager',
  'TaskSetManager',
  'DAGScheduler',
  'MemoryStore',
  'Executor',
  'ShuffleClient',
];

/** Lines as they stand in real logs, with their parts that vary. */
const LINES: readonly Line[] = [
  (random) => ({
    application: 'spark',
    level: 6,
    text: `INFO ${random.often(CLASSES)}: Finished task ${random.below(400)}.0 in stage ${random.below(40)}.0 (TID ${random.below(90_000)}) in ${random.skewed(9000)} ms on worker-${random.below(16)}.cluster.local (executor ${random.below(16)})`,
  }),
  (random) => ({
    application: 'sshd',
    level: 4,
    text: `pam_unix(sshd:auth): authentication failure; logname= uid=0 euid=0 tty=ssh ruser= rhost=${random.address()} user=${random.often(USERS)}`,
  }),
  (random) => ({
    application: 'postgres',
    level: 6,
    text: `LOG:  duration: ${(random.next() * 900).toFixed(3)} ms  statement: SELECT * FROM orders WHERE customer_id = ${random.below(100_000)} ORDER BY created_at DESC LIMIT ${random.of([10, 20, 50])}`,
  }),
  (random) => ({
    application: 'sshd',
    level: 5,
    text: `Failed password for invalid user ${random.often(USERS)} from ${random.address()} port ${random.below(65_536)} ssh2`,
  }),
  (random) => ({
    application: 'nginx',
    level: 3,
    text: `${random.below(9000)}#0: *${random.below(1e7)} upstream timed out (110: Connection timed out) while reading response header from upstream, client: ${random.address()}, server: shop.example.org, request: "GET /${random.often(RESOURCES)} HTTP/1.1"`,
  }),
  (random) => ({
    application: 'hdfs',
    level: 6,
    text: `dfs.DataNode$PacketResponder: Received block blk_${random.below(2 ** 31)}${random.below(1e9)} of size ${67_108_864 - random.skewed(1e6)} from /${random.address()}`,
  }),
  (random) => ({
    application: 'kernel',
    level: 4,
    text: `[${random.below(1e6)}.${random.below(1e6)}] TCP: request_sock_TCP: Possible SYN flooding on port ${random.of([80, 443, 8080])}. Sending cookies. Check SNMP counters.`,
  }),
  (random) => ({
    application: 'systemd',
    level: 6,
    text: `Started Session ${random.below(90_000)} of user ${random.often(USERS)}.`,
  }),
];

function textMessage(index: number): string {
  const random = new Random(index);
  const { application, text, level } = random.often(LINES)(random);
  return JSON.stringify({
    version: '1.1',
    host: `srv-${random.below(30)}.example.org`,
    short_message: text,
    timestamp: timestamp(index, random),
    level,
    _application_name: application,
    _process_id: 1000 + random.skewed(30_000),
    ...(random.below(2) === 0 && { _facility: level < 5 ? 'security/authorization' : 'system daemon' }),
  });
}

const EVENTS = [1, 3, 5, 7, 10, 11, 12, 13, 22, 4624, 4625, 4634, 4672, 4688];
const IMAGES = [
  'svchost',
  'explorer',
  'chrome',
  'lsass',
  'powershell',
  'MsMpEng',
  'Teams',
  'OneDrive',
  'cmd',
];
const FIELD_STEMS = [
  'Image',
  'TargetUser',
  'LogonGuid',
  'ProcessId',
  'Hashes',
  'Protocol',
  'TargetObject',
  'Port',
];
const VARIANTS = 25;

/** An event has the fields of its kind. */
function eventField(kind: number, position: number): readonly [string, (random: Random) => string | number] {
  const stem = FIELD_STEMS[position % FIELD_STEMS.length] ?? '';
  const name = `_${stem}${(kind * 7 + position) % VARIANTS}`;
  switch (stem) {
    case 'Image':
      return [name, (random) => `C:\\Windows\\System32\\${random.often(IMAGES)}.exe`];
    case 'TargetUser':
      return [name, (random) => `CORP\\user${random.skewed(400)}`];
    case 'LogonGuid':
      return [name, (random) => `{${new Random(random.skewed(300)).uuid()}}`];
    case 'Hashes':
      return [name, (random) => `SHA1=${new Random(random.skewed(60)).hex(40)}`];
    case 'Protocol':
      return [name, (random) => random.often(['tcp', 'udp', 'icmp'])];
    case 'TargetObject':
      return [
        name,
        (random) => `HKLM\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Run\\Item${random.skewed(80)}`,
      ];
    default:
      return [name, (random) => random.skewed(65_536)];
  }
}

function wideMessage(index: number): string {
  const random = new Random(index);
  const kind = random.skewed(EVENTS.length);
  const event: Record<string, unknown> = {
    version: '1.1',
    host: `desk-${random.skewed(400)}.corp.example.org`,
    short_message: `Microsoft-Windows-Sysmon event ${EVENTS[kind]}: ${random.often(IMAGES)}.exe on behalf of CORP\\user${random.skewed(400)}`,
    timestamp: timestamp(index, random),
    level: 6,
    _EventID: EVENTS[kind],
    _Channel: 'Microsoft-Windows-Sysmon/Operational',
    _ProviderGuid: '{5770385f-c22a-43e0-bf4c-06f5698ffbd9}',
    _RecordNumber: 4_000_000 + index,
    _Keywords: '0x8000000000000000',
  };
  for (let position = 0; position < 34; position++) {
    const [name, value] = eventField(kind, position * 3 + kind);
    event[name] = value(random);
  }
  return JSON.stringify(event);
}

const GENERATED: Readonly<Record<MixName, (index: number) => string>> = {
  web: webMessage,
  text: textMessage,
  wide: wideMessage,
};

/** A mix by its name, or the messages of a file, again and again. */
export function openMix(nameOrPath: string): Mix {
  const generate = (GENERATED as Readonly<Record<string, (index: number) => string>>)[nameOrPath];
  if (generate !== undefined) return { name: nameOrPath, message: generate };
  const lines = fs
    .readFileSync(nameOrPath, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  if (lines.length === 0) throw new Error(`there is no message in ${nameOrPath}`);
  return { name: nameOrPath, message: (index) => lines[index % lines.length] ?? '' };
}
