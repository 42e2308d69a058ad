import type { Locator, Page } from 'playwright-core';

/** The pages of streams as their users see them. */
export interface StreamsPageObject {
  readonly find: Locator;
  readonly title: Locator;
  readonly rules: Locator;
  /** What the preview says: `3 messages would have matched`. */
  readonly summary: Locator;
  readonly matchedRows: Locator;
  row(title: string): Locator;
  /** Fills in a rule that is there, by its place. */
  fillRule(place: number, rule: { field?: string; condition?: string; value?: string }): Promise<void>;
  addRule(): Promise<void>;
  /** The conditions as sentences, as the boxes say them. */
  ruleTexts(): Promise<string[]>;
  wouldMatch(count: number): Promise<void>;
}

export function streamsPage(page: Page): StreamsPageObject {
  const editor = page.getByRole('region', { name: 'In this stream when' });
  const preview = page.getByRole('region', { name: 'Preview' });
  const rules = editor.getByRole('listitem');
  const summary = preview.getByRole('status').filter({ hasText: 'would have matched' });
  return {
    find: page.getByLabel('Find a stream'),
    title: page.getByLabel('Title', { exact: true }),
    rules,
    summary,
    matchedRows: preview.getByRole('button', { name: /\d{2}:\d{2}:\d{2}/ }),
    row: (title) => page.getByRole('row').filter({ hasText: title }),
    async fillRule(place, { field, condition, value }) {
      const rule = rules.nth(place);
      if (field !== undefined) {
        await rule.getByLabel('Field').fill(field);
        await rule.getByLabel('Field').press('Escape');
      }
      if (condition !== undefined) {
        await rule.getByLabel('Condition').click();
        await page.getByRole('option', { name: condition, exact: true }).click();
      }
      if (value !== undefined) {
        await rule.getByLabel('Value').fill(value);
        await rule.getByLabel('Value').press('Escape');
      }
    },
    async addRule() {
      await editor.getByRole('button', { name: 'Rule', exact: true }).click();
    },
    async ruleTexts() {
      const texts = (rule: Locator) =>
        rule.locator('input:visible').evaluateAll((boxes) => boxes.map((box) => Reflect.get(box, 'value')));
      return Promise.all((await rules.all()).map(async (rule) => (await texts(rule)).join(' ')));
    },
    async wouldMatch(count) {
      const text = count === 1 ? '1 message would have matched' : `${count} messages would have matched`;
      await summary.getByText(text).waitFor();
    },
  };
}
