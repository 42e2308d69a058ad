import { expect } from 'vitest';
import { type LoadOptions, loadConfig } from '#config/index.ts';
import { StartupError } from '#core/index.ts';

export const machine = { hostname: 'node-1', cores: 8, memoryBytes: 8 * 2 ** 30 };

/** Loads with these files, and nothing of this machine. */
export function load(
  options: Partial<Pick<LoadOptions, 'argv' | 'env' | 'machine'>> & { files?: Record<string, string> } = {},
) {
  const files: Record<string, string> = options.files ?? {};
  return loadConfig({
    argv: [],
    env: {},
    cwd: '/home/miller',
    machine,
    readFile(file) {
      const content = files[file];
      if (content === undefined) throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
      return content;
    },
    ...options,
  });
}

export const loadFile = (content: string) => load({ files: { '/home/miller/millrace.conf': content } });

/** The lines of the report, without the place where they start. */
export function problems(run: () => unknown): string[] {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(StartupError);
    if (!(error instanceof StartupError)) throw error;
    expect(error.whatToDo).not.toBe('');
    return error.message
      .split('\n')
      .slice(1)
      .map((line) => line.replace(/^ {2}- /, ''));
  }
  return [];
}
