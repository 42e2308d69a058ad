import {
  type FieldLayouts,
  Message,
  type RecordBatch,
  type RoutedBatch,
  type RoutingTarget,
  recordOffset,
} from '#core/index.ts';

/** The targets that follow from the streams of messages. */
export interface StreamTargets {
  readonly defaultTarget: RoutingTarget;
  readonly failureTarget: RoutingTarget;
  add(target: RoutingTarget, streamId: string): RoutingTarget;
  remove(target: RoutingTarget, streamId: string): RoutingTarget;
}

export interface BatchContext {
  readonly targets: StreamTargets;
  readonly layouts: FieldLayouts;
  /** Gives a message its id: the first one of its record has `number` 0. */
  readonly messageIds: (message: Message, offset: number, number: number) => void;
}

/** What a created message starts with. */
export interface NewMessage {
  readonly message: string;
  readonly source: string;
  readonly level: number;
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
}

/** A record gives at most this many messages, so that rules that clone clones come to an end. */
export const MAX_MESSAGES_PER_RECORD = 64;
/**
 * What all records of a batch give beside their first messages, so that rules that clone every message do not fill the
 * memory. Only here the result depends on how records are cut into batches; ids stay the same.
 */
const ADDED_PER_RECORD = 4;
const ADDED_PER_BATCH = 1024;

/**
 * One batch of the journal on its way through processing.
 *
 * Steps walk over `messages` and change them in place. Message `i` is on its way to `targets[i]`; every message starts
 * in the default stream. Its `streams` are set when all steps have run. Steps never see failures.
 *
 * A dropped message keeps its index until the step ends. Clones and created messages are appended, so a step that
 * walks up to `messages.length` visits its own too. When nothing is dropped or added, none of this costs anything.
 */
export class ProcessingBatch {
  readonly records: RecordBatch;
  readonly #context: BatchContext;
  #messages: Message[] = [];
  #targets: RoutingTarget[] = [];
  #failures: readonly Message[] = [];
  #dropped: Set<number> | undefined = undefined;
  /** How many messages were added for a record, by the offset in their ids. */
  #added: Map<number, number> | undefined = undefined;
  #droppedCount = 0;
  #addedCount = 0;
  #refusedCount = 0;

  constructor(context: BatchContext, records: RecordBatch) {
    this.#context = context;
    this.records = records;
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  get targets(): RoutingTarget[] {
    return this.#targets;
  }

  /** What steps have dropped, added, and could not add because of the limits. */
  get changes(): { readonly dropped: number; readonly added: number; readonly refused: number } {
    return { dropped: this.#droppedCount, added: this.#addedCount, refused: this.#refusedCount };
  }

  get limits(): { readonly perRecord: number; readonly perBatch: number } {
    return {
      perRecord: MAX_MESSAGES_PER_RECORD,
      perBatch: ADDED_PER_RECORD * this.records.count + ADDED_PER_BATCH,
    };
  }

  /** For the step that decodes. All have their ids; `failures` stand for frames that are not messages. */
  setDecoded(messages: Message[], failures: readonly Message[]): void {
    this.#messages = messages;
    this.#targets = new Array<RoutingTarget>(messages.length).fill(this.#context.targets.defaultTarget);
    this.#failures = failures;
  }

  /** Adds a message to a stream. False: it is in the stream already, or there is no such stream that runs. */
  addStream(index: number, streamId: string): boolean {
    const { targets } = this.#context;
    return this.#setTarget(index, targets.add(this.#targetAt(index), streamId));
  }

  /** Removes a message from a stream; without its last stream it is in the default one, until it gets another. False: no change. */
  removeStream(index: number, streamId: string): boolean {
    const { targets } = this.#context;
    return this.#setTarget(index, targets.remove(this.#targetAt(index), streamId));
  }

  /** The message reaches no sink. Its record is committed all the same. */
  drop(index: number): void {
    this.#dropped ??= new Set();
    this.#dropped.add(index);
  }

  isDropped(index: number): boolean {
    return this.#dropped?.has(index) ?? false;
  }

  /** Adds a copy, in the same streams. Returns its index, or -1 when that exceeds the limits. */
  clone(index: number): number {
    const original = this.#messageAt(index);
    return this.#append(original, this.#targetAt(index), () => original.copy());
  }

  /**
   * Adds a new message in the default stream, made of the same record as message `index`, with its input and sender.
   * Returns its index, or -1 when that exceeds the limits.
   */
  create(index: number, content: NewMessage): number {
    const parent = this.#messageAt(index);
    const { targets, layouts } = this.#context;
    return this.#append(parent, targets.defaultTarget, () => newMessage(parent, content, layouts));
  }

  #append(parent: Message, target: RoutingTarget, make: () => Message): number {
    const offset = parent.idOffset;
    this.#added ??= new Map();
    const number = (this.#added.get(offset) ?? 0) + 1;
    const { perRecord, perBatch } = this.limits;
    if (number >= perRecord || this.#addedCount >= perBatch) {
      this.#refusedCount += 1;
      return -1;
    }
    this.#added.set(offset, number);
    this.#addedCount += 1;
    const message = make();
    this.#context.messageIds(message, offset, number);
    this.#targets.push(target);
    return this.#messages.push(message) - 1;
  }

  /** Before a step that may change any message without saying which, or keep it. */
  leaveFrames(): void {
    for (const message of this.#messages) {
      message.detach();
      message.gelfFrame = -1;
    }
  }

  /** After each step. */
  removeDropped(): void {
    const dropped = this.#dropped;
    if (dropped === undefined) return;
    this.#dropped = undefined;
    this.#droppedCount += dropped.size;
    this.#messages = this.#messages.filter((_, index) => !dropped.has(index));
    this.#targets = this.#targets.filter((_, index) => !dropped.has(index));
  }

  /** After the last step. Calls `routed` for each message that is not a failure. */
  finish(routed: (target: RoutingTarget) => void): RoutedBatch {
    const messages = this.#messages;
    const targets = this.#targets;
    for (let index = 0; index < messages.length; index++) {
      const target = this.#targetAt(index);
      const message = messages[index];
      if (message !== undefined) message.streams = target.streamIds;
      routed(target);
    }
    const { firstOffset, endOffset } = this.records;
    const batch = { firstOffset, endOffset, records: this.records, messages, targets };
    return this.#failures.length === 0 && this.#added === undefined ? batch : this.#inRecordOrder(batch);
  }

  /**
   * Batches have other limits when they are replayed, so the order must not depend on them: by record, and the messages
   * of a record in the order they were made.
   */
  #inRecordOrder(batch: RoutedBatch): RoutedBatch {
    const { failureTarget } = this.#context.targets;
    for (const failure of this.#failures) failure.streams = failureTarget.streamIds;
    const messages = [...batch.messages, ...this.#failures];
    const targets = [...batch.targets, ...this.#failures.map(() => failureTarget)];
    const offsets = messages.map((message) => recordOffset(batch, message));
    const order = offsets.map((_, index) => index);
    order.sort((left, right) => (offsets[left] ?? 0) - (offsets[right] ?? 0) || left - right);
    return {
      ...batch,
      messages: order.flatMap((index) => messages[index] ?? []),
      targets: order.flatMap((index) => targets[index] ?? []),
    };
  }

  #messageAt(index: number): Message {
    const message = this.#messages[index];
    if (message === undefined) throw new RangeError(`the batch has no message ${index}`);
    return message;
  }

  #targetAt(index: number): RoutingTarget {
    return this.#targets[index] ?? this.#context.targets.defaultTarget;
  }

  #setTarget(index: number, target: RoutingTarget): boolean {
    if (this.#targets[index] === target) return false;
    this.#targets[index] = target;
    return true;
  }
}

function newMessage(parent: Message, content: NewMessage, layouts: FieldLayouts): Message {
  return new Message({
    ...content,
    fullMessage: undefined,
    layout: layouts.empty(),
    values: [],
    notes: 0,
    origin: parent.origin,
    receivedAt: parent.receivedAt,
    size: Buffer.byteLength(content.message),
  });
}
