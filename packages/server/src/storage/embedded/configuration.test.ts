import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Secret, StartupError } from '#core/index.ts';
import {
  engineDirectory,
  enginePassword,
  escapeXml,
  freeLoopbackPort,
  lastColdDirectory,
  prepareDirectory,
  renderConfiguration,
  writeConfiguration,
  writeOwnerOnly,
} from './configuration.ts';

const VOLUME = 2 ** 40;

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'millrace-configuration-'));
});
afterEach(() => {
  fs.rmSync(folder, { recursive: true, force: true });
});

const modeOf = (file: string) => fs.statSync(file).mode & 0o777;

function settings(dataDir: string) {
  return {
    directory: engineDirectory(dataDir),
    port: 4242,
    nativePort: undefined,
    password: new Secret('s3cret'),
    maxMemoryBytes: 1_600_000_000,
    emulated: false,
    instance: '7f0c9a52-0d6b-4f6e-9d8a-1d9c2f5b3e11',
  };
}

describe('text in XML', () => {
  test.each([
    ['plain', 'plain'],
    ['a & b <c> "d" \'e\'', 'a &amp; b &lt;c&gt; &quot;d&quot; &apos;e&apos;'],
    [']]> &amp;', ']]&gt; &amp;amp;'],
    ['tab\tline\nreturn\r', 'tab&#9;line&#10;return&#13;'],
    ['日本語 🦀', '日本語 🦀'],
  ])('%j', (text, escaped) => {
    expect(escapeXml(text)).toBe(escaped);
  });

  test.each(['\0', 'a\u0001b', '\u001f', '\ufffe', '\ud800'])('%j cannot be written, and says so', (text) => {
    expect(() => escapeXml(text)).toThrow(StartupError);
  });
});

describe('the configuration', () => {
  test('runs fewer merges at the same time with little memory', () => {
    const xml = renderConfiguration({ ...settings('/data'), maxMemoryBytes: 512 * 2 ** 20 }, VOLUME);
    expect(xml).toContain('<background_merges_mutations_concurrency_ratio>1</');
  });

  test('has a bounded memory of where words occur, and uses it', () => {
    const xml = renderConfiguration({ ...settings('/data'), maxMemoryBytes: 1600 * 2 ** 20 }, VOLUME);
    expect(xml).toContain(`<text_index_postings_cache_size>${100 * 2 ** 20}</`);
    expect(xml).toContain('<use_text_index_postings_cache>1</');
  });

  test('lets `default` listen and nothing else, with few resources', () => {
    const xml = renderConfiguration(settings('/data'), VOLUME);
    const user = /<default>\s*<password>.*?<\/default>/s.exec(xml)?.[0] ?? '';
    expect(user.match(/<query>.*?<\/query>/g)).toEqual(['<query>GRANT SYSTEM LISTEN ON *.*</query>']);
    expect(user).toContain('<profile>idle</profile>');
    expect(user).toContain('<ip>127.0.0.1</ip>');
  });

  test('handles requests with the credentials of the working user only', () => {
    const xml = renderConfiguration(settings('/data'), VOLUME);
    const credentials = Buffer.from('millrace:s3cret').toString('base64');
    expect(xml.match(/<rule>/g)).toHaveLength(1);
    expect(xml).toContain(`<headers><Authorization>Basic ${credentials}</Authorization></headers>`);
  });

  test('has the hash of the password, not the password', () => {
    const xml = renderConfiguration(settings('/data'), VOLUME);
    expect(xml).not.toContain('s3cret');
    expect(xml).toMatch(/<password_sha256_hex>[0-9a-f]{64}<\/password_sha256_hex>/);
  });

  test('listens on the loopback address only, caps memory, keeps caches well below the cap', () => {
    const xml = renderConfiguration(settings('/data'), VOLUME);
    expect(xml).toContain('<listen_host>127.0.0.1</listen_host>');
    expect(xml).toContain('<http_port>4242</http_port>');
    expect(xml).toContain('<max_server_memory_usage>1600000000</max_server_memory_usage>');
    expect(xml).toContain(
      '<merges_mutations_memory_usage_soft_limit>800000000</merges_mutations_memory_usage_soft_limit>',
    );
    expect(xml).not.toContain('concurrency_ratio');
    const caches = [...xml.matchAll(/_cache_size>(\d+)</g)].map((match) => Number(match[1]));
    expect(caches.length).toBeGreaterThan(0);
    expect(caches.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(400_000_000);
  });

  test('no reader can fill the volume of the engine, which is also that of the journal', () => {
    const xml = renderConfiguration(settings('/data'), 1_000_000_000_000);
    expect(xml).toContain(
      '<max_temporary_data_on_disk_size_for_user>100000000000</max_temporary_data_on_disk_size_for_user>',
    );
    expect(xml).toContain(
      '<max_temporary_data_on_disk_size_for_query>50000000000</max_temporary_data_on_disk_size_for_query>',
    );
    expect(xml).toContain(
      '<min_free_disk_space_for_temporary_data>100000000000</min_free_disk_space_for_temporary_data>',
    );
  });

  test('takes the size of the volume from the file system', () => {
    const made = settings(folder);
    prepareDirectory(made.directory);
    writeConfiguration(made);
    const xml = fs.readFileSync(made.directory.configuration, 'utf8');
    const limit = Number(/<max_temporary_data_on_disk_size_for_user>(\d+)</.exec(xml)?.[1]);
    const { blocks, bsize } = fs.statfsSync(folder);
    expect(limit).toBe(Math.floor((blocks * bsize) / 10));
  });

  test('keeps room on the disk for old messages, too, and knows that disk later', () => {
    const made = { ...settings(folder), coldDir: path.join(folder, 'cold <&> "disk"') };
    prepareDirectory(made.directory);
    expect(lastColdDirectory(made.directory)).toBeUndefined();
    writeConfiguration(made);
    expect(path.resolve(lastColdDirectory(made.directory) ?? '')).toBe(made.coldDir);
    const xml = renderConfiguration(made, VOLUME, 10_000_000);
    expect(xml).toMatch(/<cold><path>[^<]+<\/path><keep_free_space_bytes>100000</);
    writeConfiguration(settings(folder));
    expect(lastColdDirectory(made.directory)).toBeUndefined();
  });

  test('escapes the path of the data directory', () => {
    const xml = renderConfiguration(settings('/data/<b>&'), VOLUME);
    expect(xml).toContain('<path>/data/&lt;b&gt;&amp;/clickhouse/store/</path>');
    expect(xml).toContain('<log>/data/&lt;b&gt;&amp;/clickhouse/clickhouse.log</log>');
  });

  test('is readable by the owner only, even if a readable file existed before', () => {
    const made = settings(folder);
    prepareDirectory(made.directory);
    fs.writeFileSync(made.directory.configuration, 'old', { mode: 0o644 });
    writeConfiguration(made);
    expect(modeOf(made.directory.configuration)).toBe(0o600);
    expect(modeOf(made.directory.root)).toBe(0o700);
  });
});

describe('the password', () => {
  test('is generated once, kept for the owner only, and different everywhere', () => {
    const file = path.join(folder, 'password');
    const first = enginePassword(file).reveal();
    expect(first.length).toBeGreaterThanOrEqual(32);
    expect(enginePassword(file).reveal()).toBe(first);
    expect(modeOf(file)).toBe(0o600);
    expect(enginePassword(path.join(folder, 'other')).reveal()).not.toBe(first);
  });

  test('is generated again if its file is empty, as after a crash', () => {
    const file = path.join(folder, 'password');
    fs.writeFileSync(file, '\n');
    expect(enginePassword(file).reveal()).not.toBe('');
  });
});

test('a file is replaced even when an earlier write was cut short', () => {
  const file = path.join(folder, 'file');
  fs.writeFileSync(`${file}.new`, 'half');
  writeOwnerOnly(file, 'whole');
  expect(fs.readFileSync(file, 'utf8')).toBe('whole');
  expect(fs.existsSync(`${file}.new`)).toBe(false);
});

test('an unusable data directory is refused with its path and the setting', () => {
  const file = path.join(folder, 'file');
  fs.writeFileSync(file, '');
  const prepare = () => prepareDirectory(engineDirectory(file));
  expect(prepare).toThrow(file);
  expect(prepare).toThrow(expect.objectContaining({ whatToDo: expect.stringContaining('data_dir') }));
});

describe('a free port', () => {
  test('is the preferred one while that is free', async () => {
    const port = await freeLoopbackPort();
    expect(port).toBeGreaterThan(0);
    expect(await freeLoopbackPort(port)).toBe(port);
  });

  test('is another one when the preferred is taken', async () => {
    const taken = net.createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as net.AddressInfo;
    const free = await freeLoopbackPort(port);
    expect(free).not.toBe(port);
    expect(free).toBeGreaterThan(0);
    await new Promise((resolve) => taken.close(resolve));
  });
});
