import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import path from 'node:path';
import { errorCode, errorMessage } from '#core/index.ts';
import { givesUp, triesAgain } from '../../sending.ts';
import { oneLine, shorten } from '../../template/escape.ts';

export interface ScriptRun {
  /** The name of a file in the folder of scripts. */
  readonly script: string;
  readonly args: readonly string[];
  readonly stdin: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Runs programs that an operator has put into one folder, and no others. */
export interface ScriptRunner {
  readonly isEnabled: boolean;
  /** Resolves when the script ends with exit code 0, and rejects with a `SendFailure` otherwise. */
  run(run: ScriptRun): Promise<void>;
}

const MAX_OUTPUT_BYTES = 64 * 1024;
const SHOWN_OUTPUT_LENGTH = 300;

/** @param folder `notification_scripts_dir`; undefined: there are no scripts */
export function createScriptRunner(folder: string | undefined): ScriptRunner {
  return {
    isEnabled: folder !== undefined,
    async run(run) {
      if (folder === undefined) throw givesUp(SCRIPTS_OFF, { isSetup: true });
      const file = await allowedFile(folder, run.script);
      await execute(file, folder, run);
    },
  };
}

export const SCRIPTS_OFF =
  'scripts are off on this node: an operator must set notification_scripts_dir to the folder of the scripts';

/** The real path of a script. A link out of the folder is not in the folder. */
async function allowedFile(folder: string, script: string): Promise<string> {
  try {
    const root = await fs.realpath(folder);
    const file = await fs.realpath(path.join(root, script));
    if (path.dirname(file) !== root || !(await fs.stat(file)).isFile()) {
      throw givesUp(`${JSON.stringify(script)} is not a file in notification_scripts_dir`);
    }
    return file;
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    throw givesUp(`there is no script ${JSON.stringify(script)} in notification_scripts_dir`);
  }
}

function execute(file: string, folder: string, run: ScriptRun): Promise<void> {
  const { args, timeoutMs, signal } = run;
  return new Promise((resolve, reject) => {
    const child = execFile(
      file,
      [...args],
      {
        cwd: folder,
        // Nothing of the node's own environment: it may hold secrets.
        env: { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8' },
        timeout: timeoutMs,
        killSignal: 'SIGKILL',
        maxBuffer: MAX_OUTPUT_BYTES,
        signal,
      },
      (error, _stdout, stderr) => {
        if (error === null) return resolve();
        const said = shorten(oneLine(stderr), SHOWN_OUTPUT_LENGTH);
        const name = path.basename(file);
        if (error.killed && !signal.aborted) {
          return reject(triesAgain(`${name} did not end within ${timeoutMs} ms`, error));
        }
        const how =
          typeof error.code === 'number' ? `ended with exit code ${error.code}` : errorMessage(error);
        reject(triesAgain(`${name} ${how}${said === '' ? '' : `: ${said}`}`, error));
      },
    );
    // A script that does not read its input closes it.
    child.stdin?.on('error', () => {});
    child.stdin?.end(run.stdin);
  });
}
