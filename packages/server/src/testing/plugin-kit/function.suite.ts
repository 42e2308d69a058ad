import { describe, expect, test } from 'vitest';
import type { PipelineFunction } from '#processing/rules/index.ts';

/** What every function of pipeline rules promises. */
export function functionSuite({ name, description, params, returns }: PipelineFunction): void {
  describe(`${name} keeps the contract of pipeline functions`, () => {
    test('its names are those of the rule language, its texts for people', () => {
      expect(name).toMatch(/^[a-z][a-z0-9_]*$/);
      expect(description.trim()).not.toBe('');
      expect(returns).toMatch(/^[A-Z]\w+$/);
      for (const parameter of params) {
        expect(parameter.name).toMatch(/^[a-z][a-zA-Z0-9_]*$/);
        expect(parameter.description.trim()).not.toBe('');
      }
    });

    test('parameters that may be left out come last', () => {
      const optional = params.map(({ isOptional }) => isOptional);
      expect(optional).toEqual([...optional].sort((left, right) => Number(left) - Number(right)));
    });
  });
}
