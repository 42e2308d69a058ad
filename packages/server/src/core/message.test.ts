import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFieldLayouts } from './field-layout.ts';
import type { FieldValue } from './field-value.ts';
import { fieldReader, fieldWriter, Message } from './message.ts';

const ORIGIN = { inputId: 'input-1', remoteAddress: '192.0.2.7', remotePort: 4711 };

function newMessage(layouts = createFieldLayouts()): Message {
  return new Message({
    timestamp: 1000,
    source: 'web-1',
    message: 'hello',
    fullMessage: undefined,
    level: 6,
    layout: layouts.empty(),
    values: [],
    notes: 0,
    origin: ORIGIN,
    receivedAt: 2000,
    size: 10,
  });
}

test('messages with the same names in the same order share a layout', () => {
  const layouts = createFieldLayouts();
  const [first, second, third] = [newMessage(layouts), newMessage(layouts), newMessage(layouts)];
  for (const message of [first, second]) {
    message.setField('a', 1);
    message.setField('b', 2);
  }
  third.setField('b', 1);
  expect(first.layout).toBe(second.layout);
  expect(first.layout.names).toEqual(['a', 'b']);
  expect(third.layout).not.toBe(first.layout);
});

test('changing a field of one message changes no other', () => {
  const layouts = createFieldLayouts();
  const [first, second] = [newMessage(layouts), newMessage(layouts)];
  for (const message of [first, second]) message.setField('a', 1);
  first.setField('a', 'x');
  first.setField('b', true);
  expect(second.getField('a')).toBe(1);
  expect(second.getField('b')).toBeUndefined();
});

test('fields behave like a map, whatever their names and whatever is done to them', () => {
  const name = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor', 'length', '');
  const action = fc.record({
    name,
    value: fc.option(fc.oneof(fc.string(), fc.integer(), fc.boolean()), { nil: undefined }),
  });
  fc.assert(
    fc.property(
      fc.array(action, { maxLength: 40 }),
      fc.integer({ min: 0, max: 5 }),
      (actions, maxLayouts) => {
        const message = newMessage(createFieldLayouts({ maxLayouts }));
        const model = new Map<string, FieldValue>();
        for (const step of actions) {
          if (step.value === undefined) {
            message.removeField(step.name);
            model.delete(step.name);
          } else {
            message.setField(step.name, step.value);
            model.set(step.name, step.value);
          }
          expect(message.getField(step.name)).toBe(model.get(step.name));
          expect(fieldReader(step.name)(message)).toBe(model.get(step.name));
          expect(message.layout.find(step.name)).toBe(message.layout.indexOf(step.name));
        }
        const seen = new Map<string, FieldValue>();
        message.forEachField((field, value) => seen.set(field, value));
        expect(new Map([...seen].sort())).toEqual(new Map([...model].sort()));
      },
    ),
  );
});

test('a reader follows the message from layout to layout', () => {
  const read = fieldReader('b');
  const [first, second, third] = [newMessage(), newMessage(), newMessage()];
  first.setField('b', 1);
  second.setField('a', 0);
  second.setField('b', 2);
  expect([first, second, third, first, second].map(read)).toEqual([1, 2, undefined, 1, 2]);
});

test('a writer sets its field in messages of any layout', () => {
  const write = fieldWriter('b');
  const [first, second, third] = [newMessage(), newMessage(), newMessage()];
  second.setField('b', 0);
  third.setField('a', 0);
  for (const [value, message] of [first, second, third, first].entries()) write(message, value);
  expect([first, second, third].map((message) => message.getField('b'))).toEqual([3, 1, 2]);
  expect(third.layout.names).toEqual(['a', 'b']);
  expect(first.values).toEqual([3]);
});

test('built-in fields are read by their names in the API', () => {
  const message = newMessage();
  message.setField('source', 'not the source');
  const names = [
    'timestamp',
    'source',
    'message',
    'full_message',
    'level',
    'gl2_source_input',
    'gl2_remote_ip',
  ];
  expect(names.map((name) => fieldReader(name)(message))).toEqual([
    1000,
    'web-1',
    'hello',
    undefined,
    6,
    'input-1',
    '192.0.2.7',
  ]);
});

test('a full tree of layouts is given up, and what was made from it still works', () => {
  const layouts = createFieldLayouts({ maxLayouts: 2 });
  const old = layouts.empty().append('a').append('b').append('c');
  const fresh = layouts.empty();
  expect(fresh.append('a')).toBe(fresh.append('a'));
  expect(fresh.append('a')).not.toBe(layouts.empty().append('x'));
  expect(old.names).toEqual(['a', 'b', 'c']);
  expect(old.append('d').indexOf('d')).toBe(3);
});
