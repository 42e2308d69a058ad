import { type GrokPatternRequest, MAX_GROK_NAME_LENGTH, MAX_GROK_PATTERN_LENGTH } from '@millrace/contract';
import { InvalidError } from '#core/index.ts';

const LINE = /^(\w+)[ \t]+(\S.*)$/;

/** Throws `InvalidError` for a line that is none: half of a file is worse than none of it. */
export function readPatternFile(text: string): GrokPatternRequest[] {
  return text.split(/\r?\n/).flatMap((raw, index) => {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) return [];
    const [, name = '', pattern = ''] = LINE.exec(line) ?? [];
    if (name === '' || name.length > MAX_GROK_NAME_LENGTH || pattern.length > MAX_GROK_PATTERN_LENGTH) {
      const shown = JSON.stringify(line.slice(0, 60));
      throw new InvalidError(
        `Line ${index + 1} is not a grok pattern: expected a name of at most ${MAX_GROK_NAME_LENGTH} letters, digits and _, a space, and a pattern of at most ${MAX_GROK_PATTERN_LENGTH} characters; found ${shown}. Nothing was imported.`,
      );
    }
    return [{ name, pattern }];
  });
}
