import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findPlugins, type PluginPlaces } from './discover.ts';
import { hashFolder } from './integrity.ts';
import { apiVersionProblem } from './manifest.ts';
import { tryPlugins } from './trial.ts';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'millrace-plugins-'));
});

afterEach(() => rm(directory, { recursive: true, force: true }));

async function write(name: string, manifest: object | string, source = 'export default 1;'): Promise<string> {
  const folder = path.join(directory, name);
  await mkdir(folder, { recursive: true });
  const text = typeof manifest === 'string' ? manifest : JSON.stringify(manifest);
  await writeFile(path.join(folder, 'package.json'), text);
  await writeFile(path.join(folder, 'index.js'), source);
  return folder;
}

const manifest = (name: string) => ({
  name,
  version: '1.2.3',
  type: 'module',
  author: { name: 'Ada' },
  millrace: { entry: './index.js', api: '1.0' },
});

const find = (changes: Partial<PluginPlaces> = {}) =>
  findPlugins({ directory, packages: [], allowed: undefined, packageRoots: [], ...changes });

const reasons = async (changes?: Partial<PluginPlaces>) =>
  Object.fromEntries((await find(changes)).unusable.map(({ name, reason }) => [name, reason]));

describe('finding plugins', () => {
  test('a directory that does not exist has none', async () => {
    expect(await find({ directory: path.join(directory, 'nothing') })).toEqual({ usable: [], unusable: [] });
  });

  test('every folder is one, links to folders too; hidden ones, files and node_modules are not', async () => {
    await write('b', manifest('second'));
    await write('node_modules/hidden', manifest('hidden'));
    await write('.hidden', manifest('hidden-too'));
    await writeFile(path.join(directory, 'README'), '');
    const elsewhere = await write('node_modules/first', manifest('@ada/first'));
    await symlink(elsewhere, path.join(directory, 'link'));
    const { usable, unusable } = await find();
    expect(unusable).toEqual([]);
    expect(usable).toMatchObject([
      { name: '@ada/first', version: '1.2.3', author: 'Ada', root: elsewhere },
      { name: 'second', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
  });

  test('packages are found in the directory, then beside Millrace; the way to install one is named', async () => {
    await write('node_modules/one', manifest('one'));
    await write('millrace/node_modules/@ada/two', manifest('@ada/two'));
    const packageRoots = [path.join(directory, 'millrace')];
    const { usable } = await find({ packages: ['one', '@ada/two'], packageRoots });
    expect(usable.map(({ name }) => name)).toEqual(['@ada/two', 'one']);
    expect(await reasons({ packages: ['three'], packageRoots })).toMatchObject({
      three: `there is no such package; install it with: npm install --prefix ${directory} three`,
    });
  });

  test('what is wrong with a folder is said', async () => {
    await mkdir(path.join(directory, 'empty'));
    await write('text', 'not json');
    await write('plain', { name: 'plain' });
    await write('name', { ...manifest('x'), name: '../x' });
    await write('outside', { ...manifest('outside'), millrace: { entry: '../x.js', api: '1.0' } });
    await write('gone', { ...manifest('gone'), millrace: { entry: './gone.js', api: '1.0' } });
    await write('same-1', manifest('same'));
    await write('same-2', manifest('same'));
    expect(await reasons()).toEqual({
      empty: 'it has no package.json',
      text: expect.stringContaining('its package.json is not JSON'),
      plain: expect.stringContaining('add "millrace": { "entry": "./index.js", "api": "1.0" }'),
      name: expect.stringContaining('"../x", which is not a package name'),
      outside: 'its entry ../x.js is outside of its folder',
      gone: expect.stringContaining('which does not exist'),
      'same-2': expect.stringContaining('another plugin has the same name'),
    });
  });

  test.each([
    ['1.0', undefined],
    ['1.1', 'update Millrace'],
    ['2.0', 'update Millrace'],
    ['0.9', 'use a newer version of the plugin'],
    ['1', 'and this node loads plugins for 1.0'],
  ])('the version %s of the plugin API', (version, problem) => {
    const text = apiVersionProblem(version);
    if (problem === undefined) expect(text).toBeUndefined();
    else expect(text).toContain(problem);
  });
});

describe('plugins_allowed', () => {
  test('keeps out what it does not name, and files that were changed', async () => {
    const folder = await write('mine', manifest('mine'));
    const sha256 = await hashFolder(folder);
    expect(await reasons({ allowed: [] })).toEqual({
      mine: `plugins_allowed does not name it; to load it, add mine=sha256:${sha256}`,
    });
    expect(await reasons({ allowed: [{ name: 'mine', sha256: undefined }] })).toEqual({});
    expect(await reasons({ allowed: [{ name: 'mine', sha256 }] })).toEqual({});
    await mkdir(path.join(folder, 'node_modules/dependency'), { recursive: true });
    await writeFile(path.join(folder, 'node_modules/dependency/index.js'), 'export {};');
    const changed = await reasons({ allowed: [{ name: 'mine', sha256 }] });
    expect(changed.mine).toContain('its files are not those that plugins_allowed names');
    expect(await hashFolder(folder)).not.toBe(sha256);
  });

  test('a link is covered by the hash, or the plugin is refused', async () => {
    const folder = await write('mine', manifest('mine'));
    await writeFile(path.join(directory, 'outside.js'), 'export {};');
    await symlink('index.js', path.join(folder, 'link.js'));
    const before = await hashFolder(folder);
    await rm(path.join(folder, 'link.js'));
    await symlink('package.json', path.join(folder, 'link.js'));
    expect(await hashFolder(folder)).not.toBe(before);
    for (const [target, problem] of [
      ['../outside.js', 'its symbolic link link.js leads to '],
      ['..', 'its symbolic link link.js leads to '],
      ['.git/x.js', 'its symbolic link link.js leads to '],
      ['nowhere.js', 'its symbolic link link.js cannot be followed'],
    ] as const) {
      await mkdir(path.join(folder, '.git'), { recursive: true });
      await writeFile(path.join(folder, '.git/x.js'), 'export {};');
      await rm(path.join(folder, 'link.js'));
      await symlink(target, path.join(folder, 'link.js'));
      expect(await reasons()).toEqual({ mine: expect.stringContaining(problem) });
    }
  });

  test('only the .git of the plugin itself is not part of the hash, and holds no entry', async () => {
    const folder = await write('mine', manifest('mine'));
    const bare = await hashFolder(folder);
    const put = async (name: string) => {
      await mkdir(path.join(folder, path.dirname(name)), { recursive: true });
      await writeFile(path.join(folder, name), 'export {};');
      return hashFolder(folder);
    };
    expect(await put('.git/index.js')).toBe(bare);
    expect(await put('node_modules/x/.git/index.js')).not.toBe(bare);
    await write('mine', { ...manifest('mine'), millrace: { entry: './.git/index.js', api: '1.0' } });
    expect((await reasons()).mine).toContain('is not among the files that its hash covers');
  });

  test('the name of a file is part of the hash', async () => {
    const one = await write('one', manifest('same'));
    const two = await write('two', manifest('same'));
    expect(await hashFolder(one)).toBe(await hashFolder(two));
    await writeFile(path.join(one, 'a'), 'x');
    await writeFile(path.join(two, 'b'), 'x');
    expect(await hashFolder(one)).not.toBe(await hashFolder(two));
  });
});

describe('the trial', () => {
  const good = `
    import { definePlugin, defineRetention } from '@millrace/plugin-api';
    const create = () => ({ action: undefined, keep: 1 });
    export default definePlugin({
      components: [defineRetention({ id: 'good', name: 'Good', description: 'Good.', fields: {}, create })],
    });`;

  test('says why each plugin cannot be loaded; none of them stops the others', async () => {
    await write('a-loops', manifest('a-loops'), 'while (true);');
    await write('b-good', manifest('b-good'), good);
    await write('d-exits', manifest('d-exits'), 'process.exit(7);');
    await write('e-throws', manifest('e-throws'), 'throw new Error("broken");');
    await write('f-empty', manifest('f-empty'), 'export default { components: [] };');
    await write('g-kind', manifest('g-kind'), 'export default { components: [{ kind: "boat" }] };');
    await write('h-good', manifest('h-good'), good);
    const { usable } = await find();
    const failures = await tryPlugins(usable, 5000);
    expect(Object.fromEntries(failures)).toEqual({
      'a-loops': 'loading it took longer than 5 s',
      'd-exits': 'it ended its thread with code 7 while it was loaded',
      'e-throws': expect.stringMatching(/^broken \(at .*e-throws\/index\.js:1:7\)$/),
      'f-empty': 'it has no components',
      'g-kind': expect.stringContaining('component 0 has the kind "boat"'),
    });
  });

  test('an error in a timer is the fault of the plugin whose timer it is, not of the one that is being loaded', async () => {
    const late =
      'globalThis.strayed = new Promise((resolve) => setTimeout(() => { resolve(); null.x; }, 1));';
    await write('a-strays', manifest('a-strays'), `${late}${good}`);
    // Waits until the error is on its way.
    await write('b-good', manifest('b-good'), `await globalThis.strayed; ${good}`);
    await write('c-good', manifest('c-good'), good);
    const { usable } = await find();
    expect(Object.fromEntries(await tryPlugins(usable, 5000))).toEqual({
      'a-strays': expect.stringMatching(/^Cannot read properties of null .*a-strays\/index\.js/),
    });
  });

  test('notices files that were changed since they were looked at', async () => {
    const folder = await write('mine', manifest('mine'), good);
    const { usable } = await find();
    await writeFile(path.join(folder, 'index.js'), 'export default 2;');
    expect((await tryPlugins(usable)).get('mine')).toContain('its files were changed');
  });
});
