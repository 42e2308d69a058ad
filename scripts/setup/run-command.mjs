import { spawn } from 'node:child_process';

/**
 * Runs a command and resolves with its output; rejects with the last lines of it when it fails. The output
 * of a successful command is noise to a person who typed `npm start`, so it is not shown.
 */
export function runCommand(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      output += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) return resolve(output);
      const tail = output.trim().split('\n').slice(-25).join('\n');
      reject(new Error(`\`${command} ${args.join(' ')}\` ended with code ${code}:\n${tail}`));
    });
  });
}

/**
 * How to run npm: the one that started us, if any, so that its version and settings stay the user's choice. Other package
 * managers set the same variable to themselves.
 */
export function npmCommand(args) {
  const npm = process.env.npm_execpath;
  return npm !== undefined && /(?:^|[\\/])npm-cli\.c?js$/.test(npm)
    ? [process.execPath, [npm, ...args]]
    : ['npm', args];
}

export function runNpm(args, options = {}) {
  return runCommand(...npmCommand(args), options);
}
