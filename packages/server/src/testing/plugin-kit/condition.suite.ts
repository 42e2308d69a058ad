import { describe, expect, test } from 'vitest';
import type { Condition, ConditionType } from '#alerts/service.ts';
import { InvalidConfiguration, type RawConfiguration } from '#core/index.ts';
import type { Measured } from '#search/service.ts';

const END = Date.UTC(2026, 0, 1);
const WINDOW = { end: END, previousEnd: END - 60_000 };
const FIGURES = [0, 1, 7.5, -3, 1_000_000, null, ''];

/** What `Condition` demands of every type of alert condition. */
export function conditionSuite(type: ConditionType, configuration: RawConfiguration): void {
  describe(`${type.id} keeps the contract of alert conditions`, () => {
    function condition(): Condition {
      const created = type.create(undefined, configuration);
      if (created instanceof InvalidConfiguration) throw new Error(created.text);
      return created;
    }

    test('it asks for figures of the past', () => {
      const { figures, limit } = condition().measurement(WINDOW);
      expect(figures.length).toBeGreaterThan(0);
      expect(limit).toBeGreaterThan(0);
      for (const { from, to, queries } of figures) {
        expect(from).toBeLessThan(to);
        expect(to).toBeLessThanOrEqual(END);
        for (const query of queries) expect(query.trim()).not.toBe('');
      }
      expect(condition().summary.trim()).not.toBe('');
    });

    test('the same figures give the same findings; without groups there is exactly one', () => {
      const { figures, groupBy } = condition().measurement(WINDOW);
      for (const figure of FIGURES) {
        const row = { key: groupBy.map(() => 'a'), figures: figures.map(() => figure as number) };
        const measured: Measured = { rows: [row], isTruncated: false };
        const findings = condition().judge(measured, WINDOW);
        expect(condition().judge(measured, WINDOW)).toEqual(findings);
        if (condition().groupBy.length === 0) expect(findings).toHaveLength(1);
        for (const finding of findings) {
          expect(finding).toMatchObject({ isTriggered: expect.any(Boolean), values: expect.any(Object) });
          expect(finding.description.trim()).not.toBe('');
          expect(finding.key).toHaveLength(condition().groupBy.length);
        }
      }
    });
  });
}
