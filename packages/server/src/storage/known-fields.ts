import type { FieldValue } from '#core/index.ts';

/** The types of the field catalogue. */
export type FieldType = 'string' | 'number' | 'boolean';

/** A set of types is a number, with a bit for each type. */
export const TYPE_BITS: Readonly<Record<FieldType, number>> = { string: 1, number: 2, boolean: 4 };

export function typeBit(value: FieldValue): number {
  switch (typeof value) {
    case 'string':
      return TYPE_BITS.string;
    case 'boolean':
      return TYPE_BITS.boolean;
    default:
      return TYPE_BITS.number;
  }
}

const TYPES_OF_BITS: readonly (readonly FieldType[])[] = Array.from({ length: 8 }, (_, bits) =>
  (['boolean', 'number', 'string'] as const).filter((type) => (bits & TYPE_BITS[type]) !== 0),
);

/** Ascending. */
export function typesOf(bits: number): readonly FieldType[] {
  return TYPES_OF_BITS[bits] ?? [];
}

export interface KnownFieldsLimits {
  /** Names in an index set. */
  readonly names: number;
  /** Names that every stream may have, whatever the others have … */
  readonly namesOfEachStream: number;
  /** … and what all streams of an index set may have beyond that. */
  readonly moreNamesOfStreams: number;
}

const LIMITS: KnownFieldsLimits = { names: 20_000, namesOfEachStream: 1000, moreNamesOfStreams: 100_000 };

/** What was new about a field. */
export interface NewField {
  /** False: only the streams were new. */
  readonly isNewInIndexSet: boolean;
  readonly streamIds: readonly string[];
}

/**
 * Which fields the messages of an index set have, of which types, and in which streams. It is bounded, so that a sender
 * who puts ids into field names cannot fill the memory: beyond the limits, fields are still stored in messages, but they
 * are not known.
 */
export class KnownFields {
  readonly #limits: KnownFieldsLimits;
  /** The types of each name, as bits; so are those of the streams. */
  readonly #names = new Map<string, number>();
  readonly #streams = new Map<string, Map<string, number>>();
  #moreNames = 0;

  constructor(limits: Partial<KnownFieldsLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
  }

  /** The ids of all streams that have fields. */
  get streamIds(): readonly string[] {
    return [...this.#streams.keys()];
  }

  /** Undefined if all of it is known, or if there is no room. */
  add(name: string, bit: number, streamIds: readonly string[]): NewField | undefined {
    const known = this.#names.get(name) ?? 0;
    if (known === 0 && this.#names.size >= this.#limits.names) return undefined;
    const isNewInIndexSet = (known & bit) === 0;
    if (isNewInIndexSet) this.#names.set(name, known | bit);
    // Called for every field of messages that share no layout, so nothing is made for what is known.
    let newIn: string[] | undefined;
    for (const id of streamIds) {
      if (!this.#addToStream(id, name, bit)) continue;
      newIn ??= [];
      newIn.push(id);
    }
    if (!isNewInIndexSet && newIn === undefined) return undefined;
    return { isNewInIndexSet, streamIds: newIn ?? [] };
  }

  /** Calls `visit` with the types of each field as bits, of these streams or of all messages; names may repeat. */
  forEach(visit: (name: string, bits: number) => void, streamIds?: readonly string[]): void {
    const maps =
      streamIds === undefined ? [this.#names] : streamIds.flatMap((id) => this.#streams.get(id) ?? []);
    for (const names of maps) {
      for (const [name, bits] of names) visit(name, bits);
    }
  }

  forgetStream(id: string): void {
    const names = this.#streams.get(id)?.size ?? 0;
    this.#moreNames -= Math.max(0, names - this.#limits.namesOfEachStream);
    this.#streams.delete(id);
  }

  #addToStream(id: string, name: string, bit: number): boolean {
    let names = this.#streams.get(id);
    if (names === undefined) {
      names = new Map();
      this.#streams.set(id, names);
    }
    const known = names.get(name) ?? 0;
    if ((known & bit) !== 0) return false;
    if (known === 0 && names.size >= this.#limits.namesOfEachStream) {
      if (this.#moreNames >= this.#limits.moreNamesOfStreams) return false;
      this.#moreNames += 1;
    }
    names.set(name, known | bit);
    return true;
  }
}
