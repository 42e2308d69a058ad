import { spawn } from 'node:child_process';

/**
 * Becomes the given program. Where Node can (`process.execve`, from 22.15 on) it really does, which saves a
 * process; otherwise it runs as a child that gets our signals, and we end the way it ended.
 */
export function become(command, args, options = {}) {
  const env = { ...process.env, ...options.env };
  if (typeof process.execve === 'function' && process.platform !== 'win32') {
    if (options.cwd) process.chdir(options.cwd);
    process.execve(command, [command, ...args], env);
  }
  const child = spawn(command, args, { stdio: 'inherit', cwd: options.cwd, env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('close', (code, signal) => {
    if (!signal) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
  child.on('error', (error) => {
    process.stderr.write(`cannot run ${command}: ${error.message}\n`);
    process.exit(1);
  });
}
