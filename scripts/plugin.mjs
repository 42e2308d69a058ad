/**
 * `npm run plugin -- new NAME --kind KIND [--in FOLDER]`: writes a working plugin with a test.
 * `npm run plugin -- test FOLDER`: runs the tests of a plugin.
 * `npm run plugin -- hash FOLDER`: prints its entry for plugins_allowed.
 */
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createPluginFolder, KINDS } from './plugin/scaffold.mjs';
import { become } from './run-child.mjs';
import { pinnedNode, root, say, setUp } from './setup.mjs';

const USAGE = `usage:
  npm run plugin -- new NAME --kind KIND [--in FOLDER]   KIND: ${KINDS.join(', ')}
  npm run plugin -- test FOLDER
  npm run plugin -- hash FOLDER`;

/** Where the user stood when npm was called: npm changes to the root of the package. */
const calledFrom = process.env.INIT_CWD ?? process.cwd();

function fail(text) {
  say(text);
  process.exit(2);
}

function option(args, name) {
  const at = args.indexOf(name);
  return at === -1 ? undefined : args[at + 1];
}

const [command, name, ...rest] = process.argv.slice(2);
if (name === undefined || name.startsWith('-')) fail(USAGE);
const folder = path.resolve(calledFrom, name);

switch (command) {
  case 'new':
    try {
      const parent = path.resolve(calledFrom, option(rest, '--in') ?? '.');
      const created = createPluginFolder({ root, parent, name, kind: option(rest, '--kind') });
      say(`wrote ${created.folder}: ${created.files.join(', ')}`);
      say(`test it with: npm run plugin -- test ${created.folder}`);
    } catch (error) {
      fail(error.message);
    }
    break;
  case 'test':
    if (!fs.existsSync(path.join(folder, 'package.json'))) fail(`${folder} has no package.json`);
    await setUp({ withEngine: false, withWeb: false });
    process.env.MILLRACE_PLUGIN_FOLDER = folder;
    become(
      pinnedNode,
      [
        path.join(root, 'node_modules', 'vitest', 'vitest.mjs'),
        'run',
        '--config',
        path.join(root, 'scripts', 'plugin', 'vitest.config.mjs'),
        ...rest,
      ],
      { cwd: folder },
    );
    break;
  case 'hash': {
    await setUp({ withEngine: false, withWeb: false });
    const script = pathToFileURL(path.join(root, 'scripts', 'plugin', 'hash.mjs')).href;
    become(pinnedNode, ['--input-type=module', '-e', `await import(${JSON.stringify(script)})`, folder], {
      cwd: root,
    });
    break;
  }
  default:
    fail(USAGE);
}
