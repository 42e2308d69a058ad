import { describe, expect, it } from 'vitest';
import { createComponentRegistry } from './component-registry.ts';
import { defineComponent, InvalidConfiguration } from './component-type.ts';
import { field, types } from './schema/index.ts';

const described = { humanName: 'A field', description: 'What it is for.' };

const greeter = defineComponent({
  id: 'greeter',
  wireType: 'org.example.Greeter',
  aliases: ['org.example.OldGreeter'],
  name: 'Greeter',
  description: 'Says hello.',
  fields: {
    greeting: field(types.text(), { ...described, default: 'hello' }),
    times: field(types.integer({ min: 1, max: 3 }), { ...described, default: 1 }),
    password: field(types.secret(), { ...described, optional: true }),
  },
  check: ({ greeting, times }) =>
    greeting === 'once' && times > 1 ? [{ path: 'times', message: 'must be 1 with this greeting' }] : [],
  create: (name: string, { greeting, times }) => `${greeting} ${name} `.repeat(times),
});

describe('a component', () => {
  it('is created from its typed, complete configuration', () => {
    expect(greeter.create('you', { times: '2' })).toBe('hello you hello you ');
  });

  it('refuses a bad configuration with every problem, between fields too', () => {
    expect(greeter.problemsOf({})).toEqual([]);
    expect(greeter.problemsOf({ greeting: 1, times: 4 }).map(({ path }) => path)).toEqual([
      'greeting',
      'times',
    ]);
    expect(greeter.problemsOf({ greeting: 'once', times: 2 })).toEqual([
      { path: 'times', message: 'must be 1 with this greeting' },
    ]);
    expect(greeter.create('you', { greeting: 'once', times: 2 })).toBeInstanceOf(InvalidConfiguration);
    expect(greeter.complete({ times: 4 })).toBeInstanceOf(InvalidConfiguration);
  });

  it('completes a configuration for storage, with secrets in clear', () => {
    expect(greeter.complete({ password: 'opensesame' })).toEqual({
      greeting: 'hello',
      times: 1,
      password: 'opensesame',
    });
  });
});

describe('a registry', () => {
  it('finds types by short id, wire type and alias', () => {
    const registry = createComponentRegistry('greeting', [greeter]);
    for (const name of ['greeter', 'org.example.Greeter', 'org.example.OldGreeter']) {
      expect(registry.find(name)).toBe(greeter);
    }
    expect(registry.find('toString')).toBeUndefined();
    expect(registry.types).toEqual([greeter]);
  });

  it('takes types of plugins, and says whose name is taken', () => {
    const registry = createComponentRegistry('greeting', [greeter]);
    const other = { ...greeter, id: 'other', wireType: 'other', aliases: [] };
    const takeOut = registry.register('waves', other);
    expect([registry.find('other'), registry.providerOf('other')]).toEqual([other, 'waves']);
    expect(registry.types).toEqual([greeter, other]);
    expect(() => registry.register('tides', other)).toThrow(
      'two types of greeting are called "other": the other one comes from the plugin waves',
    );
    expect(() => registry.register('tides', { ...other, id: 'greeter' })).toThrow(
      'the other one is built in',
    );
    takeOut();
    expect([registry.find('other'), registry.types]).toEqual([undefined, [greeter]]);
  });

  it('refuses two types of the same name', () => {
    expect(() => createComponentRegistry('greeting', [greeter, { ...greeter, id: 'other' }])).toThrow(
      'two types of greeting are called "org.example.Greeter"',
    );
  });
});
