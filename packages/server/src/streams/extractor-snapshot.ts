import type { RawConfiguration } from '#core/index.ts';

/** An extractor of an input, as workers get it. */
export interface SnapshotExtractor {
  readonly id: string;
  readonly inputId: string;
  readonly title: string;
  /** `regex`, `grok` and so on. */
  readonly type: string;
  readonly cursorStrategy: 'cut' | 'copy';
  readonly sourceField: string;
  readonly targetField: string;
  readonly configuration: RawConfiguration;
  readonly converters: readonly SnapshotConverter[];
  readonly conditionType: 'none' | 'string' | 'regex';
  readonly conditionValue: string;
  /** Its place in the memory of faults. */
  readonly faultSlot: number;
}

export interface SnapshotConverter {
  readonly type: string;
  readonly config: RawConfiguration;
}

/** An extractor took too long for a message. */
export interface ExtractorFault {
  readonly extractorId: string;
  /** Faults of the extractor on this node, including this one. */
  readonly count: number;
}
