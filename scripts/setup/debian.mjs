import fs from 'node:fs';
import { runCommand } from './run-command.mjs';

/** A machine that has just started often updates itself, which holds the lock of the packages for minutes. */
const WAIT_FOR_OTHERS = ['-o', 'DPkg::Lock::Timeout=600'];

/** Whether this is Debian, or one of its children, and we are allowed to install packages. */
export function canInstallPackages() {
  return process.getuid?.() === 0 && fs.existsSync('/usr/bin/apt-get');
}

export async function installPackages(packages) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await runCommand('apt-get', ['update'], { env });
  const install = ['install', '-y', '--no-install-recommends', ...WAIT_FOR_OTHERS, ...packages];
  await runCommand('apt-get', install, { env });
}
