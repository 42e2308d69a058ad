/** Hands the routed batches of one journal partition to its sinks. The contract between them is in `core/sinks.ts`. */
import {
  type Message,
  type ObserverSink,
  type OutputSink,
  type RoutedBatch,
  type RoutingTarget,
  recordOffset,
  type StorageSink,
} from '#core/index.ts';

export interface SinkFanOutDeps {
  readonly storage: StorageSink;
  readonly observer: ObserverSink | undefined;
  /** Stands for the consumer when the observer is told that it waits. */
  readonly consumer: object;
  /** Called with messages whose target names an output without a sink. */
  readonly missingOutput: (outputId: string, messages: number) => void;
}

export interface SinkFanOut {
  /** The sinks of all outputs, by id. An output gets the messages of the next batch on. */
  useOutputs(outputs: ReadonlyMap<string, OutputSink>): void;
  /** Undefined: there is room for the next batch. A promise: wait for it before the next call. */
  write(batch: RoutedBatch): Promise<void> | undefined;
  /** Resolves when the batch is stored and committed; rejects only when the sinks were stopped before that. */
  replay(batch: RoutedBatch, token: string): Promise<void>;
  /** Tells the observer that the consumer waits. */
  whileWaiting<T>(work: Promise<T>): Promise<T>;
  stop(): Promise<void>;
}

const NO_OUTPUTS: ReadonlyMap<string, OutputSink> = new Map();

export function createSinkFanOut(deps: SinkFanOutDeps): SinkFanOut {
  const { storage, observer, consumer } = deps;
  let outputs = NO_OUTPUTS;

  /** Undefined when no output gets any of the messages. */
  function appendToOutputs(batch: RoutedBatch): Promise<void> | undefined {
    const secured: Promise<void>[] = [];
    for (const [outputId, messages] of messagesByOutput(batch)) {
      const sink = outputs.get(outputId);
      if (sink === undefined) deps.missingOutput(outputId, messages.length);
      else secured.push(...appendMissing(sink, batch, messages));
    }
    if (secured.length === 0) return undefined;
    const all = Promise.all(secured).then(() => {});
    // The storage sink looks at it when it is about to commit, which may be after a rejection.
    all.catch(() => {});
    return all;
  }

  async function whileWaiting<T>(work: Promise<T>): Promise<T> {
    observer?.waitBegins(consumer);
    try {
      return await work;
    } finally {
      observer?.waitEnds(consumer);
    }
  }

  return {
    whileWaiting,
    useOutputs(sinks) {
      outputs = sinks;
    },
    write(batch) {
      observer?.observe(batch);
      const room = storage.write(batch, appendToOutputs(batch));
      return room === undefined ? undefined : whileWaiting(room);
    },
    replay: (batch, token) => whileWaiting(storage.replay(batch, token, appendToOutputs(batch))),
    // The sinks of outputs are stopped after this, by whoever opened them: what they secure meanwhile can be committed.
    stop: () => storage.stop(),
  };
}

/** Hands a sink the messages that it has not secured in an earlier run. */
function appendMissing(sink: OutputSink, batch: RoutedBatch, messages: readonly Message[]): Promise<void>[] {
  const { endOffset, firstOffset, records } = batch;
  const { securedOffset } = sink;
  const missing =
    firstOffset >= securedOffset
      ? messages
      : messages.filter((message) => recordOffset(batch, message) >= securedOffset);
  return missing.length === 0 ? [] : [sink.append({ firstOffset, endOffset, messages: missing, records })];
}

/** Messages with the same streams share their target, so a batch has few targets, in long runs. */
function messagesByOutput({ messages, targets }: RoutedBatch): Map<string, Message[]> {
  const found = new Map<string, Message[]>();
  const listsOf = (target: RoutingTarget) =>
    target.outputIds.map((outputId) => {
      const list = found.get(outputId) ?? [];
      found.set(outputId, list);
      return list;
    });
  let last: RoutingTarget | undefined;
  let lists: readonly Message[][] = [];
  for (let index = 0; index < messages.length; index++) {
    const target = targets[index];
    const message = messages[index];
    if (target === undefined || message === undefined) continue;
    if (target !== last) lists = listsOf(target);
    last = target;
    for (const list of lists) list.push(message);
  }
  return found;
}
