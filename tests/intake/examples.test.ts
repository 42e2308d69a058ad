/**
 * The examples that people paste from the page of an input: each is run as it is, against a real input. Docker's
 * is not: it would need a daemon.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ComponentExample, Message } from '../../packages/server/src/core/index.ts';
import { INPUT_TYPES } from '../../packages/server/src/inputs/index.ts';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import { createIntakeFixture, type IntakeFixture } from '../../packages/server/src/testing/intake-fixture.ts';
import { freePort } from '../support/free-port.ts';

const run = promisify(execFile);
const RSYSLOG = '/usr/sbin/rsyslogd';
const SYSLOG_NG = '/usr/sbin/syslog-ng';
const NETCAT = '/usr/bin/nc';

let fixture: IntakeFixture;
beforeEach(async () => {
  fixture = await createIntakeFixture();
});
afterEach(() => fixture.close());

/** Programs that run an example by its label, each with what it needs from the system. */
const RUNNERS: Record<string, { needs: readonly string[]; run(text: string): Promise<unknown> }> = {
  Shell: {
    needs: [NETCAT, '/usr/bin/curl', '/usr/bin/openssl'],
    run: (text) => run('/bin/sh', ['-c', text]),
  },
  'Node.js': {
    needs: [],
    run: (text) => run(process.execPath, ['--input-type=module', '-e', text]),
  },
  Python: { needs: ['/usr/bin/python3'], run: (text) => run('/usr/bin/python3', ['-c', text]) },
  Java: {
    needs: ['/usr/bin/java', '/usr/bin/javac'],
    run(text) {
      const file = path.join(fixture.directory, 'Hello.java');
      writeFileSync(file, text);
      return run('/usr/bin/java', [file]);
    },
  },
};

const examples = INPUT_TYPES.types.flatMap((type) =>
  type.examples.map((example) => ({ type: type.id, example })),
);

async function startFor(type: string, { tls, text }: ComponentExample): Promise<string> {
  const { port } = await fixture.start(type, tls === true ? { tls_enable: true } : {});
  return text.replaceAll('{host}', '127.0.0.1').replaceAll('{port}', String(port));
}

const labelled = (isWanted: (label: string) => boolean) =>
  examples.filter(({ example }) => isWanted(example.label));

for (const { type, example } of labelled((label) => RUNNERS[label] !== undefined)) {
  const { needs, run: runExample } = RUNNERS[example.label] ?? { needs: [], run: async () => undefined };
  const missing = needs.filter((program) => !existsSync(program)).join(', ');
  const name = `${type}${example.tls === true ? ' with TLS' : ''}: ${example.label}`;
  it.skipIf(missing !== '')(`${name} sends its message${missing && ` (no ${missing})`}`, async () => {
    await runExample(await startFor(type, example));
    const [message] = await fixture.takeMessages(1);
    expect(message).toBeInstanceOf(Message);
    expect(message).toMatchObject({ message: 'Hello, Millrace', source: 'my-machine', level: 6 });
  });
}

/** Where Debian puts what an example needs. */
const MODULES = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/rsyslog`;
const missingForRsyslog = ({ text }: ComponentExample) =>
  [
    RSYSLOG,
    NETCAT,
    ...(text.includes('gtls') ? [`${MODULES}/lmnsd_gtls.so`] : []),
    ...(text.includes('omprog') ? [`${MODULES}/omprog.so`, '/usr/bin/curl'] : []),
  ].filter((file) => !existsSync(file));

/** The configuration itself, or what the commands make of it, inside of the folder of the test. */
async function rsyslogConfigurationOf(text: string): Promise<string> {
  if (!text.includes('cat >')) return text;
  const commands = text
    .replaceAll('/usr/local/bin', fixture.directory)
    .replaceAll('/etc/rsyslog.d', fixture.directory)
    .replace('systemctl restart rsyslog', '');
  await run('/bin/sh', ['-c', commands]);
  return readFileSync(path.join(fixture.directory, '60-millrace.conf'), 'utf8');
}

for (const { type, example } of labelled((label) => label === 'rsyslog')) {
  const missing = missingForRsyslog(example).join(', ');
  const name = `${type}${example.tls === true ? ' with TLS' : ''}`;
  it.skipIf(missing !== '')(`rsyslog forwards to ${name}${missing && ` (no ${missing})`}`, async () => {
    const text = await rsyslogConfigurationOf(await startFor(type, example));
    const syslogPort = await freePort('tcp');
    const config = path.join(fixture.directory, 'rsyslog.conf');
    writeFileSync(
      config,
      `global(workDirectory="${fixture.directory}")
module(load="imptcp")
input(type="imptcp" address="127.0.0.1" port="${syslogPort}")
${text}`,
    );
    const daemon = spawn(RSYSLOG, ['-n', '-f', config, '-i', path.join(fixture.directory, 'rsyslog.pid')]);
    try {
      await sendSyslog(syslogPort);
      await expectForwarded();
    } finally {
      daemon.kill('SIGKILL');
      await once(daemon, 'close');
    }
  });
}

/** Debian installs rsyslog or syslog-ng, never both: these run where somebody has chosen syslog-ng. */
const forSyslogNg = existsSync(SYSLOG_NG) ? labelled((label) => label === 'syslog-ng') : [];
for (const { type, example } of forSyslogNg) {
  const name = `${type}${example.tls === true ? ' with TLS' : ''}`;
  it(`syslog-ng forwards to ${name}`, async () => {
    const text = await startFor(type, example);
    const syslogPort = await freePort('tcp');
    const file = (name: string) => path.join(fixture.directory, name);
    writeFileSync(
      file('syslog-ng.conf'),
      `@version: current
@include "scl.conf"
source s_src { network(ip("127.0.0.1") port(${syslogPort}) transport("tcp") keep-hostname(yes)); };
${text}`,
    );
    const daemon = spawn(SYSLOG_NG, [
      ...['--foreground', '--no-caps', '--cfgfile', file('syslog-ng.conf')],
      ...['--persist-file', file('ng.persist'), '--pidfile', file('ng.pid'), '--control', file('ng.ctl')],
    ]);
    try {
      await sendSyslog(syslogPort);
      await expectForwarded();
    } finally {
      daemon.kill('SIGKILL');
      await once(daemon, 'close');
    }
  });
}

/** The daemons do not say when they listen. */
async function sendSyslog(port: number): Promise<void> {
  await eventually(async () => {
    const netcat = run(NETCAT, ['-N', '127.0.0.1', String(port)]);
    netcat.child.stdin?.on('error', () => undefined);
    netcat.child.stdin?.end('<28>Jan  1 00:00:00 host app: say "hello"\n');
    await netcat;
  });
}

async function expectForwarded(): Promise<void> {
  const [message] = await fixture.takeMessages(1);
  expect(message).toMatchObject({ message: 'say "hello"', source: 'host', level: 4 });
  if (message instanceof Message) expect(message.getField('program')).toBe('app');
}
