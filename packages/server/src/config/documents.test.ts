import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { InvalidValue } from '#core/index.ts';
import { configurationDocs, exampleFile, helpText } from './documents.ts';
import { loadConfig } from './load.ts';
import { settingGroups, settings } from './settings/index.ts';

const allSettings = settingGroups.flatMap((group) => Object.entries(group.settings));
const machine = { hostname: 'node-1', cores: 8, memoryBytes: 2 ** 33 };

function loadText(content: string) {
  return loadConfig({ argv: [], env: {}, cwd: '/home/miller', machine, readFile: () => content });
}

test('every setting belongs to exactly one group', () => {
  expect(allSettings.map(([key]) => key)).toEqual(Object.keys(settings));
});

test('defaults and examples are valid values', () => {
  for (const [key, setting] of allSettings) {
    const texts = [setting.example, setting.kind === 'default' ? setting.fallback : undefined];
    for (const text of texts.filter((value) => value !== undefined)) {
      expect(setting.type.parse(text, { cwd: '/' }), `${key} = ${text}`).not.toBeInstanceOf(InvalidValue);
    }
  }
});

test('the example file changes nothing, as it is and with every line active', () => {
  const active = exampleFile().replaceAll(/^#([a-z][a-z0-9_]* =)/gm, '$1');
  expect(active.match(/^[a-z0-9_]+ =/gm)).toHaveLength(
    allSettings.filter(([, { notInFile }]) => !notInFile).length,
  );
  for (const content of [exampleFile(), active]) {
    expect(JSON.stringify(loadText(content).config)).toBe(JSON.stringify(loadText('').config));
  }
});

test('every key with its description is in the help, the example file and the documentation', () => {
  const [help, example, docs] = [helpText(), exampleFile().replaceAll('\n# ', ' '), configurationDocs()];
  const flatHelp = help.replaceAll(/\s+/g, ' ');
  for (const [key, setting] of allSettings) {
    expect(help).toContain(`\n  --${setting.flag ?? key} `);
    expect(flatHelp).toContain(setting.description);
    expect(docs).toContain(`\n| \`${key}\` | `);
    if (setting.notInFile) continue;
    expect(example).toContain(`\n#${key} =`);
    expect(example).toContain(setting.description);
  }
});

test('every setting is read by the node', () => {
  const folder = path.resolve(import.meta.dirname, '..');
  const readers = [
    'main.ts',
    'config/load.ts',
    'config/node-files.ts',
    ...fs.readdirSync(path.join(folder, 'node')).map((name) => path.join('node', name)),
  ].filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  const code = readers.map((file) => fs.readFileSync(path.join(folder, file), 'utf8')).join('\n');
  // A key in quotes is only named, such as in the list of settings that the API shows.
  const isRead = (key: string) => new RegExp(`(?<!['"\\w])${key}\\b`).test(code);
  for (const [key] of allSettings) expect([key, isRead(key)]).toEqual([key, true]);
});

test('lines fit the screen, table rows have four cells', () => {
  for (const line of `${helpText()}\n${exampleFile()}`.split('\n'))
    expect(line.length).toBeLessThanOrEqual(100);
  const rows = configurationDocs()
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  for (const row of rows) expect(row.split(/(?<!\\)\|/)).toHaveLength(6);
});
