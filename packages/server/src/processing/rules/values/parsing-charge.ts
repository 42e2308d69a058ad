import type { RuleContext } from '@millrace/rules';

/** So much memory a character of a text takes when it is taken apart, in characters. */
const PARSED_SIZE = 4;
const SMALL_LENGTH = 4096;

/** For a rule that takes a text apart, which it may not do without end. */
export function chargeParsing(context: Pick<RuleContext, 'made'>, text: string): void {
  if (text.length > SMALL_LENGTH) context.made(text.length * PARSED_SIZE);
}
