import {
  type ComponentDefinition,
  type ComponentType,
  type ConfigurationFields,
  type DroppedFields,
  defineComponent,
  type FieldLayouts,
  InvalidConfiguration,
  type Message,
  type MessageOrigin,
  PermanentError,
  type RawConfiguration,
} from '#core/index.ts';

/**
 * A codec turns frames into messages and, if it can, messages into frames. A new one is a folder beside this
 * file with a `codec.ts`, and a line in `codecs/registry.ts`; see docs/how-to/add-an-input.md.
 *
 * `create` makes a decoder for one thread and one configuration. The fields of a codec are also fields of every
 * input type that uses it: that is where users set them.
 */
export interface Codec extends ComponentType<DecoderContext, Decoder> {
  /**
   * The codec's number in journal records, 0 to 255, unique. It must never change or be reused: a journal
   * may hold records of any age.
   */
  readonly journalId: number;
  /** All reasons its failures can have. Each is a metric. */
  readonly failureReasons: readonly string[];
  /** All kinds of corrections the decoder makes. Each is a metric, and a bit of `Message.notes` in this order. */
  readonly notes: readonly string[];
  createEncoder?(): Encoder;
}

export interface DecoderContext {
  /** The layouts of the thread's messages. */
  readonly layouts: FieldLayouts;
  /**
   * Messages of a batch may stay in their frames until somebody reads them (`core/message-frames.ts`): the caller is done with
   * them, or has detached them, before it has the next batch decoded.
   */
  readonly leaveInFrames?: boolean;
  /** Told about fields that are dropped for their names: `name` is one of the `count` of a message. */
  readonly fieldsDropped?: DroppedFields['add'];
}

/** Frames as columns: frame `i` is `bytes[frameStarts[i], frameEnds[i])`. A batch of the journal is one. */
export interface FrameColumns {
  readonly bytes: Buffer;
  readonly frameStarts: ArrayLike<number>;
  readonly frameEnds: ArrayLike<number>;
  /** Milliseconds since the epoch. */
  readonly receivedAt: ArrayLike<number>;
  readonly sources: ArrayLike<MessageOrigin>;
}

export interface Decoder {
  /**
   * Appends one result for each of the frames from `from` up to, not including, `to`, in order. Never throws,
   * whatever the bytes are. The results hold no reference to the frames' bytes, but see `leaveInFrames`.
   */
  decodeBatch(frames: FrameColumns, from: number, to: number, results: DecodeResult[]): void;
  /** Decodes a single frame. In a batch each frame costs less. */
  decode(frame: Buffer, origin: MessageOrigin, receivedAt: number): DecodeResult;
  /** How many corrections of each kind the decoder has made. */
  readonly noteCounters: Readonly<Record<string, number>>;
}

export interface Encoder {
  /** One frame, without delimiter. Decoding it gives the message back. */
  encode(message: Message): Buffer;
  /** The same for many messages, where that costs less. What it returns is valid until the next call. */
  encodeBatch?(messages: readonly Message[]): EncodedFrames;
  /** Left out by encoders that send nothing on as it came. */
  readonly passing?: FramePassing;
}

/**
 * Sends messages on as they came, with what the encoder adds to them: those that have a `gelfFrame`. The result means the
 * same as what `encode` makes, for a fraction of the time.
 */
export interface FramePassing {
  /** How much longer than its frame a message may become, and how many bytes of the target may be touched. */
  readonly addedBytes: number;
  /** Writes message `index` of `frames` at `at` and returns its end. Its id, 26 bytes, is in the target at `idStart`. */
  pass(frames: FrameSlices, index: number, target: ViewedBytes, at: number, idStart: number): number;
}

/** Memory that is written into. */
export interface ViewedBytes {
  readonly bytes: Buffer;
  /** Of the same bytes: it writes numbers in a third of the time. */
  readonly view: DataView;
}

/** Frame `i` is `bytes[frameStarts[i], frameEnds[i])`. */
export type FrameSlices = Pick<FrameColumns, 'bytes' | 'frameStarts' | 'frameEnds'>;

/** Frame `i` is `bytes[starts[i], ends[i])`. */
export interface EncodedFrames {
  readonly bytes: Buffer;
  readonly starts: ArrayLike<number>;
  readonly ends: ArrayLike<number>;
}

/** For the compiler: columns have a source for each frame. */
export const NO_ORIGIN: MessageOrigin = { inputId: '', remoteAddress: '', remotePort: 0 };

export type DecodeResult = Message | DecodeFailure;

/** Why a frame is not a message. */
export class DecodeFailure<Reason extends string = string> {
  /** For programs and metrics. */
  readonly reason: Reason;
  /** For people: a sentence without a capital and a full stop. */
  readonly detail: string;
  /** What failed, unless it is decoding. */
  readonly stage: string | undefined;
  /** The message, unless it is the whole frame. */
  readonly frame: Buffer | undefined;

  constructor(reason: Reason, detail: string, of: { readonly stage?: string; readonly frame?: Buffer } = {}) {
    this.reason = reason;
    this.detail = detail;
    this.stage = of.stage;
    this.frame = of.frame;
  }
}

/** A decoder that decodes each frame by itself, for formats that gain nothing from batches. */
export function decodeFrameByFrame(
  decode: Decoder['decode'],
  noteCounters: Decoder['noteCounters'] = {},
): Decoder {
  return {
    decode,
    noteCounters,
    decodeBatch({ bytes, frameStarts, frameEnds, sources, receivedAt }, from, to, results) {
      for (let index = from; index < to; index++) {
        const frame = bytes.subarray(frameStarts[index], frameEnds[index]);
        results.push(decode(frame, sources[index] ?? NO_ORIGIN, receivedAt[index] ?? 0));
      }
    },
  };
}

/** For a configuration that is known to be valid; throws when it is not. */
export function createDecoder(codec: Codec, context: DecoderContext, raw: RawConfiguration = {}): Decoder {
  const decoder = codec.create(context, raw);
  if (!(decoder instanceof InvalidConfiguration)) return decoder;
  throw new PermanentError(`the configuration of the codec ${codec.id} is not valid: ${decoder.text}`);
}

export interface CodecDefinition<Fields extends ConfigurationFields>
  extends ComponentDefinition<Fields, DecoderContext, Decoder> {
  readonly journalId: number;
  readonly failureReasons: readonly string[];
  readonly notes?: readonly string[];
  createEncoder?(): Encoder;
}

export function defineCodec<Fields extends ConfigurationFields>(definition: CodecDefinition<Fields>): Codec {
  const { journalId, failureReasons, notes = [], createEncoder } = definition;
  return {
    ...defineComponent(definition),
    journalId,
    failureReasons,
    notes,
    ...(createEncoder && { createEncoder }),
  };
}
