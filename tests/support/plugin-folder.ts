import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Writes a plugin into a folder below `directory`. Returns the folder. */
export function writePlugin(
  directory: string,
  name: string,
  source: string,
  { entry = 'index.js', api = '1.0' } = {},
): string {
  const folder = path.join(directory, name);
  mkdirSync(folder, { recursive: true });
  const manifest = { name, version: '1.0.0', type: 'module', millrace: { entry: `./${entry}`, api } };
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(path.join(folder, entry), source);
  return folder;
}
