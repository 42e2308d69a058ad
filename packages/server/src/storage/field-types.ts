import type { FieldValue } from '#core/index.ts';

/** The types of the field catalogue. */
export type FieldType = 'string' | 'number' | 'boolean';

/** A field that a worker has seen in messages of an index set. */
export interface SeenField {
  readonly indexSetId: string;
  readonly name: string;
  readonly type: FieldType;
}

const TYPE_OF_BIT: Readonly<Record<number, FieldType>> = { 1: 'string', 2: 'number', 4: 'boolean' };

/** Names that a worker remembers per index set, bounded so that senders cannot fill its memory with new ones. */
export const MAX_KNOWN_FIELDS = 20_000;

export function typeBit(value: FieldValue): 1 | 2 | 4 {
  switch (typeof value) {
    case 'string':
      return 1;
    case 'boolean':
      return 4;
    default:
      return 2;
  }
}

/**
 * The fields a worker has seen in one index set, and which of them it has not reported yet. Beyond the limit, fields are
 * still stored in messages, but they are not in the catalogue.
 */
export class SeenFields {
  readonly #indexSetId: string;
  readonly #known = new Map<string, number>();
  #news: SeenField[] = [];

  constructor(indexSetId: string) {
    this.#indexSetId = indexSetId;
  }

  see(name: string, bit: number): void {
    const known = this.#known.get(name) ?? 0;
    if ((known & bit) !== 0) return;
    if (known === 0 && this.#known.size >= MAX_KNOWN_FIELDS) return;
    this.#known.set(name, known | bit);
    const type = TYPE_OF_BIT[bit];
    if (type !== undefined) this.#news.push({ indexSetId: this.#indexSetId, name, type });
  }

  takeNews(): readonly SeenField[] {
    if (this.#news.length === 0) return NOTHING;
    const news = this.#news;
    this.#news = [];
    return news;
  }
}

const NOTHING: readonly SeenField[] = [];
