import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';

/** Before the first character of the text or of a line. */
const LINE_START = '(?<![^\\n\\r\\u2028\\u2029])';

const FLAGS_OF_A_GROUP = /\(\?[ims]*-?[ims]*:(?<!\(\?:)/;

/**
 * An expression that finds the same first match, sooner. One that begins with `.*`, as grok patterns with GREEDYDATA
 * often do, is tried at the start of lines alone: what matches further on matches from there, too. Without this a
 * text that does not match takes a time that grows with the square of its length. Not for searches that go on after a
 * match.
 */
export function quickSearch(regex: RegExp): RegExp {
  const { source, flags } = regex;
  // V8 matches these wrongly behind a look-behind: see java-regex.ts.
  if (FLAGS_OF_A_GROUP.test(source)) return regex;
  try {
    const mode = { unicode: false, unicodeSets: true };
    const pattern = new RegExpParser().parsePattern(source, 0, source.length, mode);
    const groups = groupsBeforeAnything(pattern.alternatives);
    return groups === undefined || isReferred(pattern, groups)
      ? regex
      : new RegExp(LINE_START + source, flags);
  } catch {
    // V8 understands it and the parser does not yet.
    return regex;
  }
}

/** The groups that begin with the leading `.*`; undefined: there is none. */
function groupsBeforeAnything(alternatives: readonly AST.Alternative[]): AST.CapturingGroup[] | undefined {
  const [only, ...others] = alternatives;
  const first = only?.elements[0];
  if (first === undefined || others.length > 0) return undefined;
  if (first.type === 'Group') return groupsBeforeAnything(first.alternatives);
  if (first.type === 'CapturingGroup') {
    const inner = groupsBeforeAnything(first.alternatives);
    return inner && [first, ...inner];
  }
  if (first.type !== 'Quantifier' || first.max !== Number.POSITIVE_INFINITY) return undefined;
  return first.element.type === 'CharacterSet' && first.element.kind === 'any' ? [] : undefined;
}

/** What such a group matches depends on where the search starts; a reference to it makes that matter. */
function isReferred(pattern: AST.Pattern, groups: readonly AST.CapturingGroup[]): boolean {
  let found = false;
  visitRegExpAST(pattern, {
    onBackreferenceEnter({ resolved }) {
      found ||= groups.some(
        (group) => resolved === group || (Array.isArray(resolved) && resolved.includes(group)),
      );
    },
  });
  return found;
}
