import fs from 'node:fs';
import { canInstallPackages, installPackages } from './debian.mjs';
import { installedPostgresPrograms } from './postgres-programs.mjs';

/** What the tests use from Debian: how to see that it is there, and the package that brings it. */
const PARTS = [
  {
    what: 'Chromium',
    present: () =>
      anyExists(['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser']),
    packages: ['chromium-headless-shell'],
  },
  { what: 'PostgreSQL', present: postgresPresent, packages: ['postgresql'] },
  {
    what: 'GELF senders',
    present: () =>
      [
        '/usr/lib/python3/dist-packages/graypy',
        '/usr/lib/ruby/vendor_ruby/gelf.rb',
        '/usr/sbin/rsyslogd',
        '/usr/bin/nc',
        '/usr/bin/curl',
      ].every((file) => fs.existsSync(file)),
    packages: ['python3-graypy', 'ruby-gelf', 'rsyslog', 'netcat-openbsd', 'curl'],
  },
  {
    what: 'TLS for rsyslog',
    present: () => rsyslogHas('lmnsd_gtls.so'),
    packages: ['rsyslog-gnutls'],
  },
  { what: 'Ansible', present: () => anyExists(['/usr/bin/ansible-playbook']), packages: ['ansible-core'] },
  {
    what: 'Java',
    present: () => ['/usr/bin/java', '/usr/bin/javac'].every((file) => fs.existsSync(file)),
    packages: ['default-jdk-headless'],
  },
  { what: 'jq', present: () => anyExists(['/usr/bin/jq']), packages: ['jq'] },
  { what: 'btrfs', present: () => anyExists(['/usr/sbin/mkfs.btrfs']), packages: ['btrfs-progs'] },
  { what: 'OpenSSL', present: () => anyExists(['/usr/bin/openssl']), packages: ['openssl'] },
];

function anyExists(files) {
  return files.some((file) => fs.existsSync(file));
}

/** Modules are in the folder of the machine's architecture. */
function rsyslogHas(module) {
  if (!fs.existsSync('/usr/lib')) return false;
  return fs
    .readdirSync('/usr/lib', { withFileTypes: true })
    .some((entry) => entry.isDirectory() && fs.existsSync(`/usr/lib/${entry.name}/rsyslog/${module}`));
}

export function postgresPresent() {
  return installedPostgresPrograms() !== undefined;
}

/** Installs what is missing where we may; otherwise names it. `required` (CI) makes a missing part an error. */
export async function ensureSystemPackages({ say, required }) {
  let missing = PARTS.filter((part) => !part.present());
  if (missing.length > 0 && canInstallPackages()) {
    say(`installing ${missing.map((part) => part.what).join(', ')} from Debian for the tests …`);
    try {
      await installPackages(missing.flatMap((part) => part.packages));
    } catch (error) {
      say(error.message);
    }
    missing = PARTS.filter((part) => !part.present());
  }
  if (missing.length === 0) return;
  const text = missing.map((part) => `${part.what} (Debian: ${part.packages.join(' ')})`).join(', ');
  if (required) throw new Error(`the tests need ${text}, and it could not be installed.`);
  say(`not installed: ${text}. The tests that need it are skipped.`);
}
