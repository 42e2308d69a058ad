import { describe, expect, test } from 'vitest';
import {
  type ComponentType,
  InvalidConfiguration,
  jsonSchemaOf,
  type RawConfiguration,
  requestedConfiguration,
} from '#core/index.ts';

/** What clients may send in place of any value. */
const GARBAGE: readonly unknown[] = [null, -1, 1e300, '', 'x', true, [], [null], {}, { a: 1 }];

type AnyType = Pick<
  ComponentType,
  'id' | 'wireType' | 'aliases' | 'name' | 'description' | 'fields' | 'problemsOf' | 'complete'
>;

/** What every type of component promises, whatever its kind. See `core/component-type.ts`. */
export function componentSuite(type: AnyType, configuration: RawConfiguration): void {
  describe(`${type.id} keeps the contract of components`, () => {
    test('its names are for programs, its texts for people', () => {
      expect(type.id).toMatch(/^[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*$/);
      for (const text of [type.wireType, type.name, type.description]) expect(text.trim()).not.toBe('');
      for (const [name, { humanName, description }] of Object.entries(type.fields)) {
        expect([name, humanName.trim() !== '', description.trim() !== '']).toEqual([name, true, true]);
      }
    });

    test('it takes its example, and a complete configuration stays as it is', () => {
      expect(type.problemsOf(configuration)).toEqual([]);
      const complete = type.complete(configuration);
      if (complete instanceof InvalidConfiguration) throw new Error(complete.text);
      expect(type.complete(complete)).toEqual(complete);
      // It is stored and sent as JSON.
      expect(type.complete(JSON.parse(JSON.stringify(complete)))).toEqual(complete);
    });

    test('it answers whatever is configured with problems, never with an exception', () => {
      for (const name of Object.keys(type.fields)) {
        for (const value of GARBAGE) {
          for (const { path, message } of type.problemsOf({ ...configuration, [name]: value })) {
            expect([path.trim() !== '', message.trim() !== '']).toEqual([true, true]);
          }
        }
      }
      expect(() => type.problemsOf({})).not.toThrow();
    });

    test('a form and a JSON Schema can be made of its fields', () => {
      const described = JSON.parse(
        JSON.stringify([requestedConfiguration(type.fields), jsonSchemaOf(type.fields)]),
      );
      expect(Object.keys(described[0])).toEqual(Object.keys(type.fields));
    });
  });
}
