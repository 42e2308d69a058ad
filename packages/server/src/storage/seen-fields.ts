import { type FieldType, KnownFields, typesOf } from './known-fields.ts';

/** A field that a worker has seen in messages of an index set. */
export interface SeenField {
  readonly indexSetId: string;
  readonly name: string;
  readonly type: FieldType;
  /** The streams in which the worker had not seen it before. */
  readonly streamIds: readonly string[];
}

/** The fields a worker has seen in one index set and its streams, and which of them it has not reported yet. */
export class SeenFields {
  readonly #indexSetId: string;
  readonly #known = new KnownFields();
  #news: SeenField[] = [];

  constructor(indexSetId: string) {
    this.#indexSetId = indexSetId;
  }

  /** @param bit see `TYPE_BITS` */
  see(name: string, bit: number, streamIds: readonly string[]): void {
    const found = this.#known.add(name, bit, streamIds);
    const [type] = typesOf(bit);
    if (found === undefined || type === undefined) return;
    this.#news.push({ indexSetId: this.#indexSetId, name, type, streamIds: found.streamIds });
  }

  takeNews(): readonly SeenField[] {
    if (this.#news.length === 0) return NOTHING;
    const news = this.#news;
    this.#news = [];
    return news;
  }
}

const NOTHING: readonly SeenField[] = [];
