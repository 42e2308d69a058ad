/**
 * How well and how fast messages are grouped by pattern: `npm run bench -- patterns <folder>`, where the folder holds
 * `<System>.log` and `<System>.templates.csv` (columns EventId and EventTemplate, `<*>` for what varies) as the
 * collection loghub has them.
 *
 * Grouping accuracy: the share of lines whose group holds exactly the lines of one true pattern. The files have no
 * pattern beside each line, so the true one is the template that matches the whole content of the line, of several
 * the one with the most fixed characters; lines that none matches are left out and counted.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPatternFinder, summarisePattern } from '../../packages/server/src/search/patterns/index.ts';

/** What stands before the content of a line: the formats that belong to the collection. */
const HEADERS: Record<string, RegExp> = {
  Apache: /^\[[^\]]*\] \[\w+\] /,
  HDFS: /^\d+ \d+ \d+ \w+ [^:]*: /,
  Hadoop: /^\S+ \S+ +\w+ +\[.*?\] [^:]*: /,
  Linux: /^\w+ +\d+ \S+ \S+ [^:[]*(?:\[\d+\])?: /,
  OpenSSH: /^\w+ +\d+ \S+ \S+ sshd\[\d+\]: /,
  OpenStack: /^\S+ \S+ \S+ \d+ \w+ \S+ \[.*?\] /,
  Spark: /^\S+ \S+ \w+ [^:]*: /,
  Windows: /^\S+ \S+, \w+ +\w+ +/,
};
const SPEED_MESSAGES = 100_000;
const SPEED_ROUNDS = 3;
const SHOWN_PATTERNS = 50;

export async function run([folder]: string[]): Promise<void> {
  if (folder === undefined) throw new Error('Say where the logs are: npm run bench -- patterns <folder>');
  const systems = readdirSync(folder)
    .filter((name) => name.endsWith('.templates.csv'))
    .map((name) => name.slice(0, -'.templates.csv'.length))
    .sort();
  const results = [];
  const contents: string[] = [];
  for (const system of systems) {
    const lines = contentsOf(folder, system);
    contents.push(...lines);
    results.push({ system, ...accuracyOf(lines, templatesOf(folder, system)) });
  }
  const mean = results.reduce((sum, result) => sum + result.accuracy, 0) / results.length;
  console.table([...results, { system: 'mean', accuracy: Math.round(mean * 10_000) / 10_000 }]);
  const figures = speed(contents);
  console.table(figures);
  console.log(JSON.stringify({ accuracy: results, mean, speed: figures }));
}

function contentsOf(folder: string, system: string): string[] {
  const header = HEADERS[system] ?? /^/;
  return readFileSync(join(folder, `${system}.log`), 'utf8')
    .split(/\r?\n/)
    .filter((line) => line !== '')
    .map((line) => line.replace(header, ''));
}

interface Template {
  readonly expression: RegExp;
  readonly fixed: number;
}

function templatesOf(folder: string, system: string): Template[] {
  const rows = readFileSync(join(folder, `${system}.templates.csv`), 'utf8')
    .split(/\r?\n/)
    .slice(1);
  return rows.flatMap((row) => {
    const quoted = /^[^,]*,(?:"((?:[^"]|"")*)"|(.*))$/.exec(row);
    const template = (quoted?.[1]?.replaceAll('""', '"') ?? quoted?.[2] ?? '').trim();
    if (template === '') return [];
    const source = template
      .split('<*>')
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+'))
      .join('.*?');
    return [{ expression: new RegExp(`^\\s*${source}\\s*$`), fixed: template.replaceAll('<*>', '').length }];
  });
}

function accuracyOf(lines: readonly string[], templates: readonly Template[]) {
  const truth = lines.map((line) => {
    let best = -1;
    templates.forEach(({ expression, fixed }, index) => {
      if (fixed > (templates[best]?.fixed ?? -1) && expression.test(line)) best = index;
    });
    return best;
  });
  const finder = createPatternFinder();
  for (const line of lines) finder.add(line);
  const found = new Map<number, number>();
  for (const [group, { messages }] of finished(finder.finish()).entries()) {
    for (const message of messages) found.set(message, group);
  }
  const known = truth.flatMap((template, index) => (template < 0 ? [] : [index]));
  const byTruth = Map.groupBy(known, (index) => truth[index]);
  const byGroup = Map.groupBy(known, (index) => found.get(index));
  let right = 0;
  for (const group of byGroup.values()) {
    const template = truth[group[0] ?? 0];
    const whole = byTruth.get(template)?.length === group.length;
    if (whole && group.every((index) => truth[index] === template)) right += group.length;
  }
  return {
    accuracy: Math.round((right / known.length) * 10_000) / 10_000,
    lines: known.length,
    unknown: lines.length - known.length,
    templates: byTruth.size,
    groups: byGroup.size,
  };
}

function finished<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** ms of the thread's CPU, and the most of it in one piece: what anybody else would have had to wait for. */
function speed(contents: readonly string[]) {
  const lines = Array.from({ length: SPEED_MESSAGES }, (_, i) => contents[i % contents.length] ?? '');
  const rounds = Array.from({ length: SPEED_ROUNDS }, () => {
    const start = process.threadCpuUsage();
    const spent = () => {
      const { user, system } = process.threadCpuUsage(start);
      return Math.round((user + system) / 1000);
    };
    const finder = createPatternFinder();
    for (const line of lines) finder.add(line);
    const grouped = spent();
    const slices = new Slices();
    const patterns = slices.run(finder.finish());
    const merged = spent();
    for (const { words, messages } of patterns.slice(0, SHOWN_PATTERNS)) {
      if (words === undefined) continue;
      slices.run(
        summarisePattern(
          words,
          messages.map((message) => lines[message] ?? ''),
          10,
        ),
      );
    }
    const all = spent();
    return {
      messages: lines.length,
      patterns: patterns.length,
      'reading ms': grouped,
      'merging ms': merged - grouped,
      'values of 50 patterns ms': all - merged,
      'longest slice ms': Math.round(slices.longest * 10) / 10,
    };
  });
  return rounds;
}

class Slices {
  longest = 0;
  run<T>(steps: Generator<void, T>): T {
    for (;;) {
      const before = process.threadCpuUsage();
      const step = steps.next();
      const { user, system } = process.threadCpuUsage(before);
      this.longest = Math.max(this.longest, (user + system) / 1000);
      if (step.done) return step.value;
    }
  }
}
