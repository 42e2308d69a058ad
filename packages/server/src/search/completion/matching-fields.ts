import { distance } from 'fastest-levenshtein';
import { allowedTypos, MAX_COMPARED_LENGTH } from '../validation/field-findings.ts';

/** Names of fields that match the input, the best match first. */
export function matchingFields(input: string, names: readonly string[], most: number): string[] {
  const wanted = input.toLowerCase();
  const unique = [...new Set(names)];
  const ranked = unique
    .map((name) => ({ name, rank: rankOf(name.toLowerCase(), wanted) }))
    .filter(({ rank }) => rank < NO_MATCH)
    .sort((one, other) => one.rank - other.rank || byName(one.name, other.name));
  const isComparable = wanted.length >= 3 && wanted.length <= MAX_COMPARED_LENGTH;
  if (ranked.length > 0 || !isComparable) return ranked.slice(0, most).map(({ name }) => name);
  return unique
    .map((name) => ({ name, rank: distance(name.slice(0, wanted.length).toLowerCase(), wanted) }))
    .filter(({ rank }) => rank <= allowedTypos(wanted))
    .sort((one, other) => one.rank - other.rank || byName(one.name, other.name))
    .slice(0, most)
    .map(({ name }) => name);
}

const NO_MATCH = 4;

function rankOf(name: string, wanted: string): number {
  if (name === wanted) return 0;
  // Internal fields come after the others.
  const isInternal = name.startsWith('gl2_') || name.startsWith('_');
  if (name.startsWith(wanted)) return isInternal ? 2 : 1;
  if (name.split(/[._-]/).some((word) => word.startsWith(wanted))) return 2;
  return name.includes(wanted) ? 3 : NO_MATCH;
}

function byName(one: string, other: string): number {
  return one < other ? -1 : 1;
}
