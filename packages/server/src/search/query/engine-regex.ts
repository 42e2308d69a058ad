/**
 * How a regular expression is written for ClickHouse. Before it asks RE2, it looks for a text that every match has, and
 * misreads some expressions: of `é?` it takes away a byte instead of the letter, a class ends for it at its first `]`, and
 * what `\Q` quotes has no end. It then leaves out texts that match.
 */

const QUOTED = /\\Q(.*?)(?:\\E|$)/suy;
const CLASS = /\[\^?\]?(?:\[:\^?[a-z]+:\]|\\.|[^\]\\])*\]/suy;
const ESCAPE = /\\(?:x\{[^}]*\}|[pP]\{[^}]*\}|.)/suy;
const REPETITION = /[*+?]|\{\d+(?:,\d*)?\}/uy;
const CHARACTER = /./suy;

/** @param source valid in RE2 */
export function engineRegex(source: string): string {
  if (!/[^\0-\x7f]|\[\^?\]|\\Q/.test(source)) return source;
  const parts: string[] = [];
  let at = 0;
  const take = (form: RegExp) => {
    form.lastIndex = at;
    const found = form.exec(source);
    at += found?.[0].length ?? 0;
    return found ?? undefined;
  };
  while (at < source.length) {
    const quoted = take(QUOTED);
    if (quoted !== undefined) {
      parts.push(...Array.from(quoted[1] ?? '', asText));
      continue;
    }
    const [part = ''] = take(CLASS) ?? take(ESCAPE) ?? take(REPETITION) ?? take(CHARACTER) ?? [];
    if (isRepetition(part) && /^[^\0-\x7f]/.test(parts.at(-1) ?? '')) parts.push(`(?:${parts.pop()})`);
    parts.push(part.replace(/^\[(\^?)\]/, '[$1\\]'));
  }
  return parts.join('');
}

function isRepetition(part: string): boolean {
  return /^(?:[*+?]|\{\d)/.test(part);
}

function asText(character: string): string {
  return /[!-/:-@[-^`{-~]/.test(character) ? `\\${character}` : character;
}
