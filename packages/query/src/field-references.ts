import type { TextSpan } from './ast.ts';
import { withoutEscapes } from './escapes.ts';
import { parser } from './grammar/parser.ts';
import { MAX_QUERY_LENGTH } from './limits.ts';
import { type Part, partsOf } from './tree.ts';

/** A field in a query, and its position. */
export interface FieldReference {
  readonly name: string;
  /** Only the name, without the colon. */
  readonly at: TextSpan;
}

/** The values of these are names of fields. */
const EXISTENCE = new Set(['_exists_', '_missing_']);

/** All fields in a query, in order, even if the query has errors. */
export function fieldReferences(text: string): FieldReference[] {
  if (text.length > MAX_QUERY_LENGTH) return [];
  const wellFormed = text.toWellFormed();
  const found: FieldReference[] = [];
  const add = (part: Part, raw: string) =>
    found.push({ name: withoutEscapes(raw), at: { from: part.from, to: part.to } });
  const open: { part: Part; namesFields: boolean }[] = [
    { part: partsOf(parser.parse(wellFormed)).root, namesFields: false },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { part } = next;
    let { namesFields } = next;
    const raw = wellFormed.slice(part.from, part.to);
    if (part.name === 'Fielded') {
      const name = part.children[0]?.children[0];
      const isTerm = name?.name === 'Term';
      const nameText = name === undefined ? '' : wellFormed.slice(name.from, name.to);
      namesFields = EXISTENCE.has(nameText);
      if (isTerm && !namesFields) add(name, nameText);
    } else if (namesFields && part.name === 'Term') add(part, raw);
    else if (namesFields && part.name === 'Phrase') add(part, raw.slice(1, -1));
    const inside = part.name === 'Fielded' ? part.children.slice(1) : part.children;
    for (const child of inside.toReversed()) open.push({ part: child, namesFields });
  }
  return found;
}
