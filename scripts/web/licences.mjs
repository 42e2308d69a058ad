/**
 * The packages of others that we ship, with their licences: everything in package-lock.json that is not only for
 * development. Found when the web interface is built, so that the list is that of the build.
 */
import fs from 'node:fs';
import path from 'node:path';

const LICENCE_FILE = /^(?:licen[cs]e|copying|unlicense)/i;

/** @returns {import('./licences.d.mts').ShippedPackage[]} by name and version. */
export function shippedPackages(root) {
  const { packages } = JSON.parse(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  const found = new Map();
  for (const [place, entry] of Object.entries(packages)) {
    const at = place.lastIndexOf('node_modules/');
    if (at === -1 || entry.dev || entry.devOptional || entry.link) continue;
    const folder = path.join(root, place);
    // Made for other machines, and not installed on this one.
    if (entry.optional && !fs.existsSync(folder)) continue;
    const name = place.slice(at + 'node_modules/'.length);
    found.set(`${name}@${entry.version}`, {
      name,
      version: entry.version,
      licence: entry.license ?? 'unknown',
      text: licenceText(folder),
    });
  }
  return [...found.values()].sort((a, b) =>
    a.name === b.name ? order(a.version, b.version) : order(a.name, b.name),
  );
}

const order = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

function licenceText(folder) {
  const file = fs
    .readdirSync(folder)
    .sort()
    .find((name) => LICENCE_FILE.test(name) && fs.statSync(path.join(folder, name)).isFile());
  return file === undefined ? null : fs.readFileSync(path.join(folder, file), 'utf8').trim();
}
