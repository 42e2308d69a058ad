/** Writes a new plugin. The templates are the examples, so they are tested like these. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/** The example that shows each kind. An input comes with its codec. */
const EXAMPLES = {
  output: 'http-lines',
  condition: 'error-share',
  notification: 'file-notice',
  input: 'key-value',
  codec: 'key-value',
  rotation: 'calendar-day',
  retention: 'calendar-weeks',
  function: 'roman',
  'stream-rule': 'in-network',
};

export const KINDS = Object.keys(EXAMPLES);

const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
const FIRST_NUMBER = 128;
const NUMBERS = 112;

/** `my-output` as people write it. */
function titleOf(name) {
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Codecs and stream rules need a number that no other one of the node has; people may choose another one. */
function numberOf(name) {
  const [byte] = createHash('sha256').update(name).digest();
  return FIRST_NUMBER + (byte % NUMBERS);
}

function adapt(text, example, name, kind) {
  // The rule language has no hyphens in names.
  const componentName = kind === 'function' ? name.replaceAll('-', '_') : name;
  return text
    .replaceAll(`example-${example}`, name)
    .replaceAll(example, componentName)
    .replaceAll(`'${titleOf(example)}`, `'${titleOf(name)}`)
    .replaceAll(/journalId: \d+/g, `journalId: ${numberOf(name)}`)
    .replaceAll(/\bnumber: \d+/g, `number: ${numberOf(name)}`)
    .replace(/\n {2}"author": .*/, '\n  "author": "",')
    .replace(/\n {2}"license": .*/, '');
}

/** Throws an error for people. */
export function createPluginFolder({ root, parent, name, kind }) {
  const example = EXAMPLES[kind];
  if (example === undefined || !Object.hasOwn(EXAMPLES, kind)) {
    throw new Error(`--kind is ${JSON.stringify(kind)}; there are ${KINDS.join(', ')}`);
  }
  if (!NAME.test(name)) {
    throw new Error(`${JSON.stringify(name)} is not a name: use lower case letters, digits and hyphens`);
  }
  const folder = path.join(parent, name);
  if (fs.existsSync(folder)) throw new Error(`${folder} exists already`);
  const source = path.join(root, 'examples', 'plugins', example);
  const files = fs.readdirSync(source);
  fs.mkdirSync(folder, { recursive: true });
  for (const file of files) {
    const text = fs.readFileSync(path.join(source, file), 'utf8');
    fs.writeFileSync(path.join(folder, file), adapt(text, example, name, kind));
  }
  return { folder, files };
}
