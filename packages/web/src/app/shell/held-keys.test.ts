import { afterEach, expect, test, vi } from 'vitest';
import { createHeldKeys } from './held-keys.ts';

afterEach(() => {
  vi.useRealTimers();
});

interface Press {
  readonly ctrlKey?: boolean;
  readonly altKey?: boolean;
  readonly isAltGraph?: boolean;
}

function page() {
  const target = new EventTarget();
  const commands: string[] = [];
  const keys = createHeldKeys(target);
  const press = (key: string, { isAltGraph = false, ...modifiers }: Press = {}) => {
    const event = new Event('keydown', { cancelable: true });
    target.dispatchEvent(Object.assign(event, { key, ...modifiers, getModifierState: () => isAltGraph }));
  };
  const type = (text: string) => {
    for (const key of text) press(key);
  };
  keys.hold();
  target.addEventListener('keydown', (event) => commands.push((event as KeyboardEvent).key));
  return { keys, commands, press, type };
}

test('what is typed while the field is on its way is its text, and no command', () => {
  const { keys, commands, press, type } = page();
  type('strx');
  press('Backspace');
  press('[', { ctrlKey: true, altKey: true, isAltGraph: true });
  expect(commands).toEqual([]);
  expect(keys.take()).toEqual({ text: 'str[', isEntered: false });
  type('f');
  expect(commands).toEqual(['f']);
  expect(keys.take()).toEqual({ text: '', isEntered: false });
});

test('Enter is done when the field is there, with what was typed before it', () => {
  const { keys, commands, press, type } = page();
  type('str');
  press('Enter');
  type('x');
  press('Backspace');
  expect(commands).toEqual([]);
  expect(keys.take()).toEqual({ text: 'str', isEntered: true });
});

test('a field that was there once is there at once the next time', () => {
  const { keys, commands, type } = page();
  keys.take();
  keys.hold();
  type('f');
  expect(commands).toEqual(['f']);
});

test('commands of the browser work, and Esc gives the keys back to the page', () => {
  const { keys, commands, press, type } = page();
  press('r', { ctrlKey: true });
  type('s');
  press('Escape');
  type('f');
  expect(commands).toEqual(['r', 'Escape', 'f']);
  keys.hold();
  type('t');
  expect(keys.take()).toEqual({ text: 't', isEntered: false });
});

test('a field that does not come does not keep the keyboard', () => {
  vi.useFakeTimers();
  const { commands, type } = page();
  vi.advanceTimersByTime(9000);
  type('s');
  vi.advanceTimersByTime(2000);
  type('f');
  expect(commands).toEqual(['f']);
});
