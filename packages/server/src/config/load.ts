import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { errorCode, errorMessage, InvalidValue, machineMemoryBytes, StartupError } from '#core/index.ts';
import { completeConfig, type Machine } from './complete.ts';
import {
  type Entries,
  type Entry,
  type Problem,
  quoted,
  readEnvironmentEntries,
  readFileEntries,
  readFlagEntries,
} from './entries.ts';
import { brokenRelations } from './relations.ts';
import type { Setting } from './setting.ts';
import { type NodeConfig, type SettingKey, settingGroups, type WrittenConfig } from './settings/index.ts';

export interface LoadOptions {
  /** The arguments after the program's name. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Reads a text file; throws with a system error code when it cannot. */
  readonly readFile?: (file: string) => string;
  readonly machine?: Machine;
}

export interface LoadedConfig {
  readonly config: NodeConfig;
  /** Where each value comes from: `default`, `millrace.conf:12`, `environment`, `command line`. */
  readonly sources: Readonly<Record<SettingKey, string>>;
}

const DEFAULT_FILE = 'millrace.conf';
const MAX_FILE_BYTES = 2 ** 20;
const MAX_PROBLEMS_SHOWN = 50;

const allSettings = settingGroups.flatMap((group) => Object.entries(group.settings)) as [
  SettingKey,
  Setting<unknown>,
][];

/**
 * Reads the configuration: the file, over it the environment, over that the flags. Throws one
 * `StartupError` that names every problem there is, and never the value of a secret.
 */
export function loadConfig(options: LoadOptions): LoadedConfig {
  const machine = options.machine ?? thisMachine();
  const environment = readEnvironmentEntries(options.env);
  const commandLine = readFlagEntries(options.argv);
  const named = latest([...environment.entries, ...commandLine.entries]).get('config_file');
  const file = readFile(options, named);
  const layers = [file, environment, commandLine];
  const problems = layers.flatMap((layer) => layer.problems);
  const set = latest(layers.flatMap((layer) => layer.entries));

  const { written, invalid } = parseValues(set, options.cwd, problems);
  const usesDefaultFile = named === undefined && file.found;
  const config = completeConfig(
    usesDefaultFile ? { ...written, config_file: path.resolve(options.cwd, DEFAULT_FILE) } : written,
    machine,
  );
  for (const { key, message } of brokenRelations(config, invalid)) {
    const entry = set.get(key);
    problems.push({ place: entry?.place ?? 'default', message: `${entry?.written ?? key} ${message}` });
  }
  if (problems.length > 0) throw problemReport(problems);

  const sources = Object.fromEntries(allSettings.map(([key]) => [key, set.get(key)?.place ?? 'default']));
  return { config, sources: sources as Record<SettingKey, string> };
}

/** The last entry of each key wins. An empty one means the default, and is left out. */
function latest(entries: readonly Entry[]): Map<SettingKey, Entry> {
  const winners = new Map(entries.map((entry) => [entry.key, entry]));
  return new Map([...winners].filter(([, entry]) => entry.text !== ''));
}

function parseValues(set: ReadonlyMap<SettingKey, Entry>, cwd: string, problems: Problem[]) {
  const values: Partial<Record<SettingKey, unknown>> = {};
  const invalid = new Set<SettingKey>();
  for (const [key, setting] of allSettings) {
    const entry = set.get(key);
    values[key] = setting.kind === 'default' ? setting.type.parse(setting.fallback, { cwd }) : undefined;
    if (entry === undefined) continue;
    const value = parseEntry(entry, setting, cwd);
    if (value instanceof InvalidValue) {
      invalid.add(key);
      problems.push({ place: entry.place, message: invalidMessage(entry, setting, value.expected) });
    } else {
      values[key] = value;
    }
  }
  // The loop gave every key a value of its type, which the compiler cannot see.
  return { written: values as WrittenConfig, invalid };
}

function parseEntry(entry: Entry, setting: Setting<unknown>, cwd: string): unknown {
  if (/\p{Cc}/u.test(entry.text)) return new InvalidValue('a value without control characters');
  return setting.type.parse(entry.text, { cwd });
}

function invalidMessage(entry: Entry, setting: Setting<unknown>, expected: string): string {
  const shown = setting.type.secret ? 'has a value that is not valid' : `= ${quoted(entry.text)}`;
  const comment = /\s#/.test(entry.text) ? ' (a comment needs a line of its own)' : '';
  return `${entry.written} ${shown}: expected ${expected}${comment}`;
}

function readFile(
  { cwd, readFile = readTextFile }: LoadOptions,
  named: Entry | undefined,
): Entries & { readonly found: boolean } {
  const shownName = named?.text ?? DEFAULT_FILE;
  try {
    return { ...readFileEntries(readFile(path.resolve(cwd, shownName)), shownName), found: true };
  } catch (error) {
    const isMissing = errorCode(error) === 'ENOENT';
    if (isMissing && named === undefined) return { entries: [], problems: [], found: false };
    const reason = isMissing ? 'does not exist' : `cannot be read: ${errorMessage(error)}`;
    const place = named === undefined ? DEFAULT_FILE : `${named.place}, ${named.written}`;
    const message = `the file ${quoted(shownName)} ${reason}`;
    return { entries: [], problems: [{ place, message }], found: false };
  }
}

/** Reads at most 1 MiB: the path may name anything, such as a device. */
function readTextFile(file: string): string {
  const descriptor = fs.openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(MAX_FILE_BYTES + 1);
    let length = 0;
    while (length < bytes.length) {
      const count = fs.readSync(descriptor, bytes, length, bytes.length - length, null);
      if (count === 0) break;
      length += count;
    }
    if (length > MAX_FILE_BYTES) throw new Error('it is larger than 1 MiB');
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, length));
  } catch (error) {
    if (errorCode(error) !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error;
    throw new Error('it is not UTF-8 text', { cause: error });
  } finally {
    fs.closeSync(descriptor);
  }
}

function problemReport(problems: readonly Problem[]): StartupError {
  const sorted = problems.toSorted((a, b) => a.place.localeCompare(b.place, 'en', { numeric: true }));
  const shown = sorted.slice(0, MAX_PROBLEMS_SHOWN).map(({ place, message }) => `  - ${place}: ${message}`);
  if (problems.length > shown.length) shown.push(`  - and ${problems.length - shown.length} more`);
  const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
  return new StartupError(
    [`the configuration has ${count}:`, ...shown].join('\n'),
    'Correct it and start again. --help lists every key, docs/configuration.md explains them.',
  );
}

function thisMachine(): Machine {
  return {
    hostname: os.hostname(),
    cores: os.availableParallelism(),
    memoryBytes: machineMemoryBytes(),
  };
}
