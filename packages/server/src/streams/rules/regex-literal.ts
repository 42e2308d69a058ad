import type { AST } from '@eslint-community/regexpp';

/**
 * The longest literal that is in every match of a pattern; empty when none is easy to find. Alternatives and optional
 * parts are not considered.
 */
export function requiredLiteral(pattern: AST.Pattern): string {
  const runs = new LiteralRuns();
  if (pattern.alternatives.length === 1) collect(pattern.alternatives, runs);
  return runs.longest();
}

class LiteralRuns {
  #longest = '';
  #current = '';

  add(character: string): void {
    this.#current += character;
  }

  /** Ends the current run: what follows is not adjacent to it. */
  end(): void {
    if (this.#current.length > this.#longest.length) this.#longest = this.#current;
    this.#current = '';
  }

  longest(): string {
    this.end();
    return this.#longest;
  }
}

function collect([alternative]: readonly AST.Alternative[], runs: LiteralRuns): void {
  for (const element of alternative?.elements ?? []) collectElement(element, runs);
}

function collectElement(element: AST.Element, runs: LiteralRuns): void {
  switch (element.type) {
    case 'Character':
      runs.add(String.fromCodePoint(element.value));
      return;
    case 'Assertion':
      // It has no width: what is before it and what is after it are adjacent.
      return;
    case 'CapturingGroup':
    case 'Group':
      if (element.alternatives.length === 1 && !('modifiers' in element && element.modifiers)) {
        collect(element.alternatives, runs);
      } else runs.end();
      return;
    case 'Quantifier':
      collectRepetition(element, runs);
      return;
    default:
      runs.end();
  }
}

/** `ab+c` contains `ab` and `bc`. */
function collectRepetition({ element, min, max }: AST.Quantifier, runs: LiteralRuns): void {
  if (min === 0 || element.type !== 'Character') {
    runs.end();
    return;
  }
  const character = String.fromCodePoint(element.value);
  runs.add(character);
  if (max === 1) return;
  runs.end();
  runs.add(character);
}
