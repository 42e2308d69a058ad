export interface CsvLineOptions {
  readonly separator: string | undefined;
  readonly quote: string | undefined;
  readonly escape: string | undefined;
  /** Whether white space before a value is not part of it. */
  readonly ignoreLeadingSpace?: boolean | undefined;
  /** Whether only what is in quotes is part of a value. */
  readonly onlyQuoted?: boolean | undefined;
}

/** The values of one line. A quote inside of a quoted value is written twice or escaped. */
export function readCsvLine(line: string, options: CsvLineOptions): string[] {
  const separator = options.separator ?? ',';
  const quote = options.quote ?? '"';
  const escaping = options.escape ?? '\\';
  const values: string[] = [];
  let value = '';
  let isQuoted = false;
  for (let at = 0; at < line.length; at++) {
    const letter = line.charAt(at);
    const next = line.charAt(at + 1);
    if (letter === escaping && next !== '' && (next === quote || next === escaping)) {
      value += next;
      at += 1;
    } else if (letter === quote) {
      if (isQuoted && next === quote) {
        value += quote;
        at += 1;
      } else isQuoted = !isQuoted;
    } else if (letter === separator && !isQuoted) {
      values.push(value);
      value = '';
    } else if (isQuoted || !isIgnored(letter, value, options)) value += letter;
  }
  return [...values, value];
}

/** A character outside of quotes. */
function isIgnored(letter: string, value: string, options: CsvLineOptions): boolean {
  return (
    options.onlyQuoted === true || (options.ignoreLeadingSpace === true && value === '' && letter === ' ')
  );
}
