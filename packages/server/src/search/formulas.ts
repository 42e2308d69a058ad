/** What a spreadsheet would compute begins like this; as RE2 and JavaScript both write it. */
export const FORMULA = '^[=+\\-@\\t\\r]';

const formula = new RegExp(FORMULA);

/** With an apostrophe before a formula, so that it is shown and not computed. */
export function uncomputed(text: string): string {
  return formula.test(text) ? `'${text}` : text;
}
