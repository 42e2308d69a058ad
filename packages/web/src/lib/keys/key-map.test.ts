import { describe, expect, test, vi } from 'vitest';
import { createKeyMap, type KeyPress, type Shortcut } from './key-map.ts';

const shortcut = (keys: string, more: Partial<Shortcut> = {}): Shortcut => ({
  keys,
  label: keys,
  group: 'Test',
  run: vi.fn(),
  ...more,
});
const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  isAltGraph: false,
  isTyping: false,
  time: 0,
  ...more,
});
const mapOf = (...shortcuts: Shortcut[]) => {
  const map = createKeyMap();
  map.add(shortcuts);
  return map;
};
const keysOf = (map: ReturnType<typeof createKeyMap>, keyPress: KeyPress) => map.match(keyPress)?.keys;

describe('one key', () => {
  test('does what it is for, letters by their case', () => {
    const map = mapOf(shortcut('e'), shortcut('E'), shortcut('?'));
    expect(keysOf(map, press('e'))).toBe('e');
    expect(keysOf(map, press('E'))).toBe('E');
    expect(keysOf(map, press('?'))).toBe('?');
    expect(keysOf(map, press('x'))).toBeUndefined();
    expect(keysOf(map, press('e', { altKey: true }))).toBeUndefined();
  });
  test('does nothing while somebody types, unless it says so', () => {
    const map = mapOf(shortcut('e'), shortcut('Escape', { inInputs: true }));
    expect(keysOf(map, press('e', { isTyping: true }))).toBeUndefined();
    expect(keysOf(map, press('Escape', { isTyping: true }))).toBe('Escape');
  });
  test('is Ctrl or Cmd with mod, also while somebody types', () => {
    const map = mapOf(shortcut('mod+k'));
    expect(keysOf(map, press('k', { ctrlKey: true, isTyping: true }))).toBe('mod+k');
    expect(keysOf(map, press('K', { metaKey: true }))).toBe('mod+k');
    expect(keysOf(map, press('k'))).toBeUndefined();
  });
  test('made with AltGr is the character it makes', () => {
    const map = mapOf(shortcut('['));
    expect(keysOf(map, press('[', { ctrlKey: true, altKey: true, isAltGraph: true }))).toBe('[');
  });
});

describe('two keys, one after the other', () => {
  test('mean something together', () => {
    const map = mapOf(shortcut('g s'), shortcut('s'));
    expect(keysOf(map, press('g'))).toBeUndefined();
    expect(keysOf(map, press('s', { time: 500 }))).toBe('g s');
    expect(keysOf(map, press('s', { time: 600 }))).toBe('s');
  });
  test('are forgotten after a while, and not begun while somebody types', () => {
    const map = mapOf(shortcut('g s'));
    map.match(press('g'));
    expect(keysOf(map, press('s', { time: 5000 }))).toBeUndefined();
    map.match(press('g', { isTyping: true }));
    expect(keysOf(map, press('s'))).toBeUndefined();
  });
});

test('what is added later comes first, until it is taken away', () => {
  const map = mapOf(shortcut('e', { label: 'page' }));
  const remove = map.add([shortcut('e', { label: 'dialog' })]);
  expect(map.match(press('e'))?.label).toBe('dialog');
  expect(map.list().map(({ label }) => label)).toEqual(['dialog']);
  remove();
  expect(map.match(press('e'))?.label).toBe('page');
});

test('single keys can be switched off', () => {
  const map = mapOf(shortcut('e'), shortcut('g s'), shortcut('mod+k'), shortcut('Escape'));
  map.allowSingleKeys(false);
  expect(keysOf(map, press('e'))).toBeUndefined();
  map.match(press('g'));
  expect(keysOf(map, press('s'))).toBeUndefined();
  expect(keysOf(map, press('k', { ctrlKey: true }))).toBe('mod+k');
  expect(keysOf(map, press('Escape'))).toBe('Escape');
});
