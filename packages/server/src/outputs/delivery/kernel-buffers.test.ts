import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { mostBufferedBytes } from './kernel-buffers.ts';

const MIB = 1024 ** 2;
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'millrace-kernel-'));
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

function tuned(receive: string, send: string): number {
  writeFileSync(path.join(directory, 'tcp_rmem'), receive);
  writeFileSync(path.join(directory, 'tcp_wmem'), send);
  return mostBufferedBytes(directory);
}

test('a host with large buffers has them counted', () => {
  expect(tuned('4096\t131072\t67108864\n', '4096\t16384\t33554432\n')).toBe(100 * MIB);
});

test('a host with small buffers, or none that are known, counts what Linux has by default', () => {
  expect(mostBufferedBytes(directory)).toBe(16 * MIB);
  expect(tuned('4096 131072 6291456', '4096 16384 4194304')).toBe(16 * MIB);
  expect(tuned('4096', 'what?')).toBe(16 * MIB);
});
