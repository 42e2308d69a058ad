/** Destinations that other people wrote. They come from Debian (`scripts/setup/system-packages.mjs`). */
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

/**
 * Daemons do not say when they listen, and one that is starting may take a connection and lose what came over it. So
 * everything is sent over a new connection until it arrives.
 */
async function sendUntilWritten(
  configuration: Record<string, unknown>,
  file: string,
  expected: readonly string[],
): Promise<void> {
  await eventually(async () => {
    const { output, send } = anOutput('syslog', {
      hostname: '127.0.0.1',
      facility: 'local3',
      ...configuration,
    });
    try {
      await output.connect?.(AbortSignal.timeout(10_000));
      await send(
        anIdentified(1, { ...fields, message: 'größer ä' }),
        anIdentified(2, { ...fields, message: 'second' }),
      );
    } finally {
      await output.close(AbortSignal.timeout(5000));
    }
    const written = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
    for (const line of expected) expect(written).toContain(line);
  }, PATIENCE);
}

const lineOf = (text: string, number: number) =>
  `mill|grinder|42|err|local3|[millrace@32473 id="${anIdentified(number).id}" count="7" quote="a \\"b\\" \\]"]|${text}`;

const INPUTS = { TCP: 'imptcp', 'TCP+TLS': 'imtcp', UDP: 'imudp' } as const;

/** What rsyslog needs for TLS, with a certificate for 127.0.0.1. */
function tlsSettings(directory: string): { readonly module: string; readonly global: string } {
  const { certificate, key } = createSelfSignedCertificate({
    commonName: 'localhost',
    alternativeNames: ['localhost', '127.0.0.1'],
    nowMs: Date.now(),
    days: 1,
  });
  const [certificateFile, keyFile] = [path.join(directory, 'cert.pem'), path.join(directory, 'key.pem')];
  writeFileSync(certificateFile, certificate);
  writeFileSync(keyFile, key);
  return {
    module: ' StreamDriver.Name="gtls" StreamDriver.Mode="1" StreamDriver.AuthMode="anon"',
    global: `global(DefaultNetstreamDriverCAFile="${certificateFile}" DefaultNetstreamDriverCertFile="${certificateFile}" DefaultNetstreamDriverKeyFile="${keyFile}")`,
  };
}

describe.skipIf(!existsSync(RSYSLOG))('rsyslog', () => {
  test.each(['TCP', 'TCP+TLS', 'UDP'] as const)(
    'reads what the syslog output sends over %s',
    async (protocol) => {
      const directory = temporaryDirectory('millrace-rsyslog-');
      const [port, file] = [
        await freePort(protocol === 'UDP' ? 'udp' : 'tcp'),
        path.join(directory, 'messages'),
      ];
      const input = INPUTS[protocol];
      const tls = protocol === 'TCP+TLS' ? tlsSettings(directory) : undefined;
      const config = path.join(directory, 'rsyslog.conf');
      writeFileSync(
        config,
        `global(workDirectory="${directory}")
${tls?.global ?? ''}
module(load="${input}"${tls?.module ?? ''})
template(name="parts" type="string" string="%hostname%|%app-name%|%procid%|%syslogseverity-text%|%syslogfacility-text%|%structured-data%|%msg%\\n")
ruleset(name="all") { action(type="omfile" file="${file}" template="parts") }
input(type="${input}" port="${port}" address="127.0.0.1" ruleset="all")
`,
      );
      daemon = spawn(RSYSLOG, ['-n', '-f', config, '-i', path.join(directory, 'pid')]);
      const trust = tls && { tls_trust_cert_chain: path.join(directory, 'cert.pem') };
      const expected = [lineOf('größer ä', 1), lineOf('second', 2)];
      await sendUntilWritten({ port, protocol, ...trust }, file, expected);
    },
  );
});
