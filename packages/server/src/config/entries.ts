import { distance } from 'fastest-levenshtein';
import type { ValueType } from '#core/index.ts';
import { graylogKeyHint } from './graylog-keys.ts';
import { type SettingKey, settingGroups, settings } from './settings/index.ts';

/*
 * The three places a setting can come from, each read into the same entries: the file, the environment and
 * the command line. Unknown keys are refused here; values are parsed later, once it is clear which entry wins.
 */

/** A key that was set, as text, and where. */
export interface Entry {
  readonly key: SettingKey;
  /** Empty: the default. */
  readonly text: string;
  /** Where, for people: `millrace.conf:12`, `environment`, `command line`. */
  readonly place: string;
  /** The key as it is written in that place: `data_dir`, `MILLRACE_DATA_DIR`, `--data_dir`. */
  readonly written: string;
}

/** Something wrong with the configuration. The message never contains the value of a secret. */
export interface Problem {
  readonly place: string;
  readonly message: string;
}

export interface Entries {
  readonly entries: Entry[];
  readonly problems: Problem[];
}

const ENVIRONMENT = 'environment';
const ENVIRONMENT_PREFIX = 'MILLRACE_';
const COMMAND_LINE = 'command line';
const ACTION_FLAGS = new Map<string, Action>([
  ['--help', 'help'],
  ['-h', 'help'],
  ['--version', 'version'],
  ['-v', 'version'],
]);

/** Written before everything else: `drain --data_dir x`. */
const COMMANDS = new Map<string, Action>([
  ['drain', 'drain'],
  ['backup', 'backup'],
  ['restore', 'restore'],
  ['migrate', 'migrate'],
]);

export type Action = 'start' | 'drain' | 'backup' | 'restore' | 'migrate' | 'help' | 'version';

const keys = settingGroups.flatMap((group) => Object.keys(group.settings)) as SettingKey[];
const flags = new Map(keys.flatMap((key) => flagsOf(key).map((flag) => [flag, key] as const)));

function flagsOf(key: SettingKey): string[] {
  const { flag } = settingOf(key);
  return flag === undefined ? [key] : [key, flag];
}

function settingOf(key: SettingKey) {
  const setting: { flag?: string; notInFile?: boolean; type: ValueType<unknown> } = settings[key];
  return setting;
}

function isKey(text: string): text is SettingKey {
  return Object.hasOwn(settings, text);
}

/** Lines of `key = value`. `#` and `!` start a comment line; a value may stand in double quotes. */
export function readFileEntries(content: string, fileName: string): Entries {
  const entries: Entry[] = [];
  const problems: Problem[] = [];
  const lineOf = new Map<SettingKey, number>();
  const lines = content.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);

  for (const [index, line] of lines.entries()) {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#') || trimmed.startsWith('!')) continue;
    const place = `${fileName}:${index + 1}`;
    const separator = trimmed.indexOf('=');
    const key = trimmed.slice(0, Math.max(0, separator)).trim();
    if (key === '') {
      problems.push({ place, message: 'expected a line of the form key = value, or a comment after #' });
    } else if (!isKey(key)) {
      problems.push({ place, message: unknownKey(key, key, keys, (known) => known) });
    } else if (settingOf(key).notInFile) {
      problems.push({ place, message: `${key} can only be set by flag or environment` });
    } else if (lineOf.has(key)) {
      problems.push({ place, message: `${key} is already set in line ${lineOf.get(key)}` });
    } else {
      lineOf.set(key, index + 1);
      entries.push({ key, text: unquoted(trimmed.slice(separator + 1).trim()), place, written: key });
    }
  }
  return { entries, problems };
}

function unquoted(value: string): string {
  return /^".*"$/s.test(value) && value.length >= 2 ? value.slice(1, -1) : value;
}

/** `MILLRACE_<KEY>`. An empty variable counts as not set: container tools write such variables. */
export function readEnvironmentEntries(environment: Readonly<Record<string, string | undefined>>): Entries {
  const entries: Entry[] = [];
  const problems: Problem[] = [];
  for (const [name, value] of Object.entries(environment)) {
    if (!name.startsWith(ENVIRONMENT_PREFIX) || value === undefined || value.trim() === '') continue;
    const key = name.slice(ENVIRONMENT_PREFIX.length).toLowerCase();
    if (isKey(key) && name === variableOf(key)) {
      entries.push({ key, text: value.trim(), place: ENVIRONMENT, written: name });
    } else {
      problems.push({
        place: ENVIRONMENT,
        message: unknownKey(name, key, keys, variableOf),
      });
    }
  }
  return { entries, problems };
}

export function variableOf(key: string): string {
  return ENVIRONMENT_PREFIX + key.toUpperCase();
}

/** What the command line asks for apart from settings. */
export function requestedAction(argv: readonly string[]): Action {
  for (const argument of argv) {
    const action = ACTION_FLAGS.get(argument);
    if (action !== undefined) return action;
  }
  return COMMANDS.get(argv[0] ?? '') ?? 'start';
}

/** `--key value`, `--key=value`, or `--key` alone for a boolean. Dashes inside a key count as underscores. */
export function readFlagEntries(argv: readonly string[]): Entries {
  const entries: Entry[] = [];
  const problems: Problem[] = [];
  const problem = (message: string): void => void problems.push({ place: COMMAND_LINE, message });
  let afterSecret = false;

  for (let index = 0; index < argv.length; index++) {
    const argument = argv[index] ?? '';
    if (ACTION_FLAGS.has(argument) || (index === 0 && COMMANDS.has(argument))) continue;
    const [, name, inline] = /^--([^=]+)(?:=(.*))?$/s.exec(argument) ?? [];
    if (name === undefined) {
      const shown = afterSecret ? `number ${index + 1}` : quoted(argument);
      problem(`unexpected argument ${shown}; settings are given as --key value`);
      continue;
    }

    const next = argv[index + 1];
    const hasNext = inline === undefined && next !== undefined && !/^--|^-[hv]$/.test(next);
    const key = flags.get(name.replaceAll('-', '_'));
    if (key === undefined) {
      problem(unknownKey(`--${name}`, name, [...flags.keys()], (known) => `--${known}`));
      if (hasNext) index++;
      continue;
    }
    const { type } = settingOf(key);
    afterSecret = type.secret;
    const value = inline ?? (hasNext ? next : type.shape.control === 'boolean' ? 'true' : undefined);
    if (hasNext) index++;
    if (value === undefined) problem(`--${name} needs a value: --${name} value or --${name}=value`);
    else entries.push({ key, text: value.trim(), place: COMMAND_LINE, written: `--${name}` });
  }
  return { entries, problems };
}

const LONGEST_KEY = 64;

/** Never shows the value of an unknown key: the key may be a misspelt password setting. */
function unknownKey(
  written: string,
  key: string,
  known: readonly string[],
  show: (known: string) => string,
): string {
  const hint = graylogKeyHint(key.toLowerCase());
  if (hint !== undefined) return `${quoted(written)} is a key of Graylog: ${hint}`;
  const similar = key.length > LONGEST_KEY ? undefined : closest(key, known);
  return `unknown key ${quoted(written)}${similar === undefined ? '' : `; did you mean ${show(similar)}?`}`;
}

function closest(word: string, candidates: readonly string[]): string | undefined {
  const normal = word.toLowerCase().replaceAll(/[-.\s]/g, '_');
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(word.length / 4)) + 1;
  for (const candidate of candidates) {
    const steps = distance(normal, candidate.toLowerCase());
    if (steps < bestDistance) [best, bestDistance] = [candidate, steps];
  }
  return best;
}

/** Text that the user wrote, for a message: on one line, and shortened. */
export function quoted(text: string): string {
  const shown = JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
  // JSON does not escape characters that break a line or change the writing direction of a terminal.
  return shown.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    return `\\u${character.codePointAt(0)?.toString(16).padStart(4, '0')}`;
  });
}
