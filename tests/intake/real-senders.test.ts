/**
 * Senders that other people wrote, over every transport they have, into real inputs and a real journal, and
 * decoded as processing does it.
 */
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Message } from '../../packages/server/src/core/index.ts';
import { eventually, until } from '../../packages/server/src/testing/eventually.ts';
import { createIntakeFixture, type IntakeFixture } from '../../packages/server/src/testing/intake-fixture.ts';
import { freePort } from '../support/free-port.ts';

type Transport = 'udp' | 'tcp' | 'tls' | 'http' | 'https';

interface Sender {
  readonly name: string;
  /** The program without which it cannot run; it comes from Debian. */
  readonly needs?: string;
  readonly transports: readonly Transport[];
  /** Sends one message with this text; resolves when the sender is done. */
  send(transport: Transport, port: number, text: string, fixture: IntakeFixture): Promise<unknown>;
}

const run = promisify(execFile);
const ROOT = path.resolve(import.meta.dirname, '../..');
/** Not the first one of the PATH, which may belong to a version manager and lack Debian's packages. */
const PYTHON = '/usr/bin/python3';
const RUBY_GELF = '/usr/lib/ruby/vendor_ruby/gelf.rb';
const GRAYPY = '/usr/lib/python3/dist-packages/graypy';
const RSYSLOG = '/usr/sbin/rsyslogd';
const NETCAT = '/usr/bin/nc';
const CURL = '/usr/bin/curl';

const INPUT_OF: Record<Transport, { type: string; configuration: Record<string, unknown> }> = {
  udp: { type: 'gelf-udp', configuration: { recv_buffer_size: 2_000_000 } },
  tcp: { type: 'gelf-tcp', configuration: {} },
  tls: { type: 'gelf-tcp', configuration: { tls_enable: true } },
  http: { type: 'gelf-http', configuration: {} },
  https: { type: 'gelf-http', configuration: { tls_enable: true } },
};

/** As much as a chunked message can take with small chunks, and nothing that compression makes small. */
const LARGE = `large ${randomBytes(60_000).toString('base64')}`;
const TEXTS = ['hello', 'Größe: 5 µm, 日本語, 🚀 "quoted" \\ back\nslash', LARGE];

const senders: Sender[] = [
  {
    name: 'gelf-pro',
    transports: ['udp', 'tcp', 'tls'],
    send(transport, port, text) {
      // A process for each message: it keeps the first address it was configured with.
      const script = `
const [adapter, port] = process.argv.slice(1);
const logger = require('gelf-pro').setConfig({
  adapterName: adapter,
  adapterOptions: { host: '127.0.0.1', port: Number(port), timeout: 10000, rejectUnauthorized: false },
});
const text = require('fs').readFileSync(0, 'utf8');
logger.warning(text, { kind: 'extra' }, (error) => { if (error) throw error; });`;
      const adapter = transport === 'tls' ? 'tcp-tls' : transport;
      return withInput(process.execPath, ['-e', script, adapter, String(port)], text);
    },
  },
  {
    name: 'pino-gelf',
    transports: ['udp', 'tcp', 'tls', 'http', 'https'],
    async send(transport, port, text, fixture) {
      const cli = path.join(ROOT, 'node_modules/pino-gelf/index.js');
      const child = spawn(process.execPath, [cli, 'log', '-p', String(port), '-P', transport]);
      child.stdin.write(
        `${JSON.stringify({ level: 40, time: 1767225600123, hostname: 'h', msg: text, kind: 'extra', v: 1 })}\n`,
      );
      // It would run until its input ends, and drop what is on its way then.
      await until(() => fixture.journal.writer.nextOffset > 0);
      child.kill('SIGKILL');
      await once(child, 'close');
    },
  },
  {
    name: 'graypy (Python)',
    needs: GRAYPY,
    transports: ['udp', 'tcp', 'tls', 'http'],
    send(transport, port, text) {
      const handler = { udp: 'UDP', tcp: 'TCP', tls: 'TLS', http: 'HTTP', https: '' }[transport];
      const script = `
import sys, logging, graypy
logger = logging.getLogger('test')
logger.addHandler(graypy.GELF${handler}Handler('127.0.0.1', int(sys.argv[1])))
logger.warning(sys.stdin.read(), extra={'kind': 'extra'})
logging.shutdown()`;
      return withInput(PYTHON, ['-c', script, String(port)], text);
    },
  },
  {
    name: 'gelf-rb (Ruby)',
    needs: RUBY_GELF,
    transports: ['udp'],
    send(_transport, port, text) {
      const script = `
require 'gelf'
notifier = GELF::Notifier.new('127.0.0.1', ARGV[0].to_i, 'WAN')
notifier.level_mapping = 'direct'
notifier.notify!(short_message: STDIN.read.force_encoding('UTF-8'), level: GELF::WARN, _kind: 'extra')`;
      return withInput('ruby', ['-W0', '-e', script, String(port)], text);
    },
  },
  {
    name: 'netcat, as the documentation shows it',
    needs: NETCAT,
    transports: ['udp', 'tcp'],
    send(transport, port, text) {
      const json = JSON.stringify({
        version: '1.1',
        host: 'h',
        short_message: text,
        level: 4,
        _kind: 'extra',
      });
      if (transport === 'udp') return withInput(NETCAT, ['-u', '-w', '1', '127.0.0.1', String(port)], json);
      return withInput(NETCAT, ['-N', '127.0.0.1', String(port)], `${json}\0`);
    },
  },
  {
    name: 'curl',
    needs: CURL,
    transports: ['http', 'https'],
    send(transport, port, text) {
      const json = JSON.stringify({
        version: '1.1',
        host: 'h',
        short_message: text,
        level: 4,
        _kind: 'extra',
      });
      const url = `${transport}://127.0.0.1:${port}/xlog`;
      const headers = ['-H', 'Content-Type: application/json'];
      return withInput(CURL, ['-fsSk', '-XPOST', ...headers, '--data-binary', '@-', url], json);
    },
  },
];

async function withInput(command: string, args: readonly string[], input: string): Promise<void> {
  const running = run(command, [...args], { cwd: ROOT });
  running.child.stdin?.on('error', () => undefined);
  running.child.stdin?.end(input);
  await running;
}

/**
 * netcat makes a datagram of each 16 KiB it reads, so what is larger is not one message any more. pino-gelf
 * 2.2 builds chunks of 6 bytes from Buffers it takes for arrays; no server can put those together.
 */
function canSend(sender: Sender, transport: Transport, text: string): boolean {
  const chunked = transport === 'udp' && text.length > 16_000;
  return !(chunked && (sender.needs === NETCAT || sender.name === 'pino-gelf'));
}

/**
 * graypy closes its TLS connection without having read the session tickets of TLS 1.3, so its kernel resets
 * the connection and forgets what did not fit the server's receive window: 64 KiB at first.
 */
function cutFor(transport: Transport, text: string): string {
  return transport === 'tls' ? text.slice(0, 16_000) : text;
}

let fixture: IntakeFixture;

beforeEach(async () => {
  fixture = await createIntakeFixture();
});

afterEach(async () => {
  await fixture.close();
});

for (const sender of senders) {
  const missing = sender.needs !== undefined && !existsSync(sender.needs);
  describe.skipIf(missing)(`${sender.name}${missing ? ` (${sender.needs} is not installed)` : ''}`, () => {
    for (const transport of sender.transports) {
      for (const [index, full] of TEXTS.entries()) {
        const text = cutFor(transport, full);
        if (!canSend(sender, transport, text)) continue;
        it(`sends ${['a message', 'a message with all kinds of characters', 'a large message'][index]} by ${transport}`, async () => {
          const { type, configuration } = INPUT_OF[transport];
          const { port } = await fixture.start(type, configuration);
          await sender.send(transport, port, text, fixture);
          const [message] = await fixture.takeMessages(1);
          if (!(message instanceof Message)) throw new Error(message?.detail);
          expect([message.message, message.fullMessage]).toContain(text);
          expect(message.source).not.toBe('');
          expect(message.level).toBe(4);
          expect(message.getField('kind')).toBe('extra');
          expect(message.origin.remoteAddress).toBe('127.0.0.1');
        });
      }
    }
  });
}

describe.skipIf(!existsSync(RSYSLOG))('rsyslog', () => {
  const TEMPLATE = `
template(name="gelf" type="list") {
  constant(value="{\\"version\\":\\"1.1\\",\\"host\\":\\"")
  property(name="hostname" format="json")
  constant(value="\\",\\"short_message\\":\\"")
  property(name="msg" format="json")
  constant(value="\\",\\"timestamp\\":\\"")
  property(name="timegenerated" dateformat="unixtimestamp")
  constant(value="\\",\\"level\\":\\"")
  property(name="syslogseverity")
  constant(value="\\",\\"_program\\":\\"")
  property(name="programname" format="json")
  constant(value="\\"}")
}`;

  for (const transport of ['udp', 'tcp'] as const) {
    it(`forwards syslog as GELF by ${transport}`, async () => {
      const { type, configuration } = INPUT_OF[transport];
      const { port } = await fixture.start(type, configuration);
      const syslogPort = await freePort('tcp');
      const delimiter = transport === 'tcp' ? 'TCP_FrameDelimiter="0"' : '';
      const config = path.join(fixture.directory, 'rsyslog.conf');
      writeFileSync(
        config,
        `global(workDirectory="${fixture.directory}" maxMessageSize="64k")
module(load="imptcp")
input(type="imptcp" address="127.0.0.1" port="${syslogPort}")
${TEMPLATE}
action(type="omfwd" target="127.0.0.1" port="${port}" protocol="${transport}" template="gelf" ${delimiter})
`,
      );
      const daemon = spawn(RSYSLOG, ['-n', '-f', config, '-i', path.join(fixture.directory, 'rsyslog.pid')]);
      try {
        const lines = ['one', 'two "quoted"', 'three'].map(
          (text) => `<28>Jan  1 00:00:00 host app: ${text}\n`,
        );
        // The daemon does not say when it listens.
        await eventually(() => withInput(NETCAT, ['-N', '127.0.0.1', String(syslogPort)], lines.join('')));
        const messages = await fixture.takeMessages(3);
        const texts = messages.map((each) => (each instanceof Message ? each.message.trim() : each.detail));
        expect(texts).toEqual(['one', 'two "quoted"', 'three']);
        for (const message of messages) {
          if (!(message instanceof Message)) throw new Error(message.detail);
          expect(message).toMatchObject({ source: 'host', level: 4 });
          expect(message.getField('program')).toBe('app');
        }
      } finally {
        daemon.kill('SIGKILL');
        await once(daemon, 'close');
      }
    });
  }
});
