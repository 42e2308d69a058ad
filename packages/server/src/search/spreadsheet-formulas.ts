/** The start of a cell that a spreadsheet would run as a formula; valid for RE2 and JavaScript. */
export const FORMULA_PATTERN = '^[=+\\-@\\t\\r]';

const formula = new RegExp(FORMULA_PATTERN);

/** Puts an apostrophe in front of a formula, so that a spreadsheet shows it instead of running it. */
export function escapeFormula(text: string): string {
  return formula.test(text) ? `'${text}` : text;
}
