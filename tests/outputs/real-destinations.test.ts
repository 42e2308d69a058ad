/** Destinations that other people wrote. They come from Debian, which installs only one of the two at a time; the other is skipped. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createSelfSignedCertificate } from '../../packages/server/src/inputs/net/self-signed.ts';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import { anIdentified, anOutput } from '../../packages/server/src/testing/output-fixture.ts';
import { freePort } from '../support/free-port.ts';
import { temporaryDirectory } from '../support/node-process.ts';

const RSYSLOG = '/usr/sbin/rsyslogd';
const SYSLOG_NG = '/usr/sbin/syslog-ng';
const PATIENCE = { timeoutMs: 60_000, intervalMs: 100 };

let daemon: ChildProcess | undefined;

afterEach(async () => {
  if (daemon === undefined) return;
  const ended = once(daemon, 'exit');
  daemon.kill('SIGKILL');
  await ended;
  daemon = undefined;
});

const fields = {
  level: 3,
  source: 'mill',
  application_name: 'grinder',
  process_id: 42,
  count: 7,
  quote: 'a "b" ]',
};

/** Daemons do not say when they listen. Over UDP what comes too early is lost, so it is sent until it arrives. */
async function sendUntilWritten(configuration: Record<string, unknown>, file: string): Promise<string[]> {
  const { output, send } = anOutput('syslog', {
    hostname: '127.0.0.1',
    facility: 'local3',
    ...configuration,
  });
  await eventually(() => output.connect?.(AbortSignal.timeout(10_000)), PATIENCE);
  const lines = await eventually(async () => {
    await send(
      anIdentified(1, { ...fields, message: 'größer ä' }),
      anIdentified(2, { ...fields, message: 'second' }),
    );
    const written = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
    expect(written.length).toBeGreaterThan(1);
    return written;
  }, PATIENCE);
  await output.close(AbortSignal.timeout(5000));
  return lines;
}

const lineOf = (text: string, number: number) =>
  `mill|grinder|42|err|local3|[millrace@32473 id="${anIdentified(number).id}" count="7" quote="a \\"b\\" \\]"]|${text}`;

describe.skipIf(!existsSync(RSYSLOG))('rsyslog', () => {
  test.each(['TCP', 'UDP'])('reads what the syslog output sends over %s', async (protocol) => {
    const directory = temporaryDirectory('millrace-rsyslog-');
    const [port, file] = [
      await freePort(protocol === 'TCP' ? 'tcp' : 'udp'),
      path.join(directory, 'messages'),
    ];
    const input = protocol === 'TCP' ? 'imptcp' : 'imudp';
    const config = path.join(directory, 'rsyslog.conf');
    writeFileSync(
      config,
      `global(workDirectory="${directory}")
module(load="${input}")
template(name="parts" type="string" string="%hostname%|%app-name%|%procid%|%syslogseverity-text%|%syslogfacility-text%|%structured-data%|%msg%\\n")
ruleset(name="all") { action(type="omfile" file="${file}" template="parts") }
input(type="${input}" port="${port}" address="127.0.0.1" ruleset="all")
`,
    );
    daemon = spawn(RSYSLOG, ['-n', '-f', config, '-i', path.join(directory, 'pid')]);
    const lines = await sendUntilWritten({ port, protocol }, file);
    expect(lines.slice(0, 2)).toEqual([lineOf('größer ä', 1), lineOf('second', 2)]);
  });
});

describe.skipIf(!existsSync(SYSLOG_NG))('syslog-ng', () => {
  test.each(['TCP', 'TCP+TLS'])('reads what the syslog output sends over %s', async (protocol) => {
    const directory = temporaryDirectory('millrace-syslog-ng-');
    const [port, file] = [await freePort('tcp'), path.join(directory, 'messages')];
    const { certificate, key } = createSelfSignedCertificate({
      commonName: 'localhost',
      alternativeNames: ['localhost', '127.0.0.1'],
      nowMs: Date.now(),
      days: 1,
    });
    writeFileSync(path.join(directory, 'cert.pem'), certificate);
    writeFileSync(path.join(directory, 'key.pem'), key);
    const tls = `transport("tls") tls(cert-file("${directory}/cert.pem") key-file("${directory}/key.pem") peer-verify(optional-untrusted))`;
    const config = path.join(directory, 'syslog-ng.conf');
    writeFileSync(
      config,
      `@version: 3.38
options { keep-hostname(yes); stats-freq(0); };
source s { syslog(ip(127.0.0.1) port(${port}) ${protocol === 'TCP' ? 'transport("tcp")' : tls}); };
destination d { file("${file}" template("$HOST|$PROGRAM|$PID|$LEVEL|$FACILITY|[\${.SDATA.millrace@32473.id} \${.SDATA.millrace@32473.count} \${.SDATA.millrace@32473.quote}]|$MSG\\n")); };
log { source(s); destination(d); };
`,
    );
    const own = ['persist-file', 'pidfile', 'control'].map(
      (name) => `--${name}=${path.join(directory, name)}`,
    );
    daemon = spawn(SYSLOG_NG, ['-F', '--no-caps', '-f', config, ...own]);
    const lines = await sendUntilWritten(
      { port, protocol, tls_trust_cert_chain: path.join(directory, 'cert.pem') },
      file,
    );
    const line = (text: string, number: number) =>
      `mill|grinder|42|err|local3|[${anIdentified(number).id} 7 a "b" ]]|${text}`;
    expect(lines.slice(0, 2)).toEqual([line('größer ä', 1), line('second', 2)]);
  });
});
