/**
 * The messages between the main thread and a worker. Everything here is plain data that can be cloned from one thread
 * to the other. Only the journal's byte budget and the counters of stream faults are shared memory.
 */
import type { InputStateReport, WantedInput } from '#inputs/index.ts';
import type { JournalIncident, PartitionReport } from '#journal/index.ts';
import type { ForgottenKey, LookupRequests, LookupSnapshot, RemoteAnswer } from '#lookup/index.ts';
import type { OutputReport, WantedOutput } from '#outputs/index.ts';
import type { PluginAssignment, PluginFault } from '#plugins/index.ts';
import type { TailDelivery, WantedTails } from '#search/index.ts';
import type { IndexSetSnapshot, ManyFieldNames, Replication, SeenField } from '#storage/index.ts';
import type { ExtractorFault, ProcessingSnapshot, RuleFault, StreamFault } from '#streams/index.ts';
import type { LogLevel, MetricsData } from '#telemetry/index.ts';

/** A journal partition that a worker opens. */
export interface AssignedPartition {
  readonly number: number;
  readonly directory: string;
  /** Its place in the shared byte budget. */
  readonly holder: number;
}

/** What a worker is given when it is started. It does not change while the worker lives. */
export interface WorkerAssignment {
  /** The number of the worker, from 0. */
  readonly worker: number;
  readonly logLevel: LogLevel;
  /** Other workers of this node listen on the same ports. */
  readonly sharesPorts: boolean;
  /** The partition it appends to. */
  readonly partition: AssignedPartition;
  /** Partitions whose workers no longer exist: they are read until they are empty, never written. */
  readonly leftovers: readonly AssignedPartition[];
  readonly budget: SharedArrayBuffer;
  readonly journal: JournalSettings;
  readonly udpReceiveBufferBytes: number;
  /** Where the self-signed certificate of this node is, or will be. */
  readonly certificateDirectory: string;
  readonly outputs: OutputQueuesAssignment;
  /** Loaded before anything else. */
  readonly plugins?: PluginAssignment | undefined;
}

/** The queues of outputs that a worker fills and empties. */
export interface OutputQueuesAssignment {
  readonly directory: string;
  /** Below which outputs may write files. */
  readonly filesDirectory: string;
  /** How many workers divide the bound of each queue. */
  readonly shares: number;
  /** Partitions that no longer exist and left queues behind: they are sent. */
  readonly orphans: readonly number[];
}

export interface JournalSettings {
  readonly flushAgeMs: number;
  readonly fullPolicy: 'block' | 'drop_oldest';
  readonly segmentBytes: number;
  readonly segmentAgeMs: number;
}

/** All inputs that should exist: an input that is not in it is removed. A higher version replaces a lower one. */
export interface InputSnapshot {
  readonly version: number;
  readonly inputs: readonly WantedInput[];
}

/** All outputs that should exist: an output that is not in it is removed. */
export interface OutputSnapshot {
  readonly version: number;
  readonly outputs: readonly WantedOutput[];
}

/** A ClickHouse server, in a form that can be cloned. */
export interface StorageServer {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  readonly nativePort?: number;
  readonly replicas?: readonly StorageServer[];
  readonly instance?: string;
}

/** What processing needs. A message replaces the previous one of its kind. */
export type ProcessingMessage =
  | { readonly kind: 'streams'; readonly snapshot: ProcessingSnapshot }
  | { readonly kind: 'index-sets'; readonly snapshot: IndexSetSnapshot }
  /** Without servers until their addresses are known; processing starts anyway. */
  | {
      readonly kind: 'storage';
      readonly database: string;
      readonly servers: readonly StorageServer[];
      readonly replication?: Replication | undefined;
    };

export type ToWorker =
  | { readonly kind: 'inputs'; readonly snapshot: InputSnapshot }
  /** Sent before the streams that use the outputs. */
  | { readonly kind: 'outputs'; readonly snapshot: OutputSnapshot }
  | ProcessingMessage
  /** The lookup tables, with the data that the worker does not have yet. */
  | { readonly kind: 'lookup'; readonly snapshot: LookupSnapshot }
  /** Answers to `lookup-requests`. */
  | { readonly kind: 'lookup-answers'; readonly answers: readonly RemoteAnswer[] }
  | { readonly kind: 'lookup-forget'; readonly forgotten: ForgottenKey }
  /** All live tails that are open now. */
  | { readonly kind: 'tails'; readonly wanted: WantedTails }
  /** The main thread has taken a delivery for the live tails. */
  | { readonly kind: 'tail-taken' }
  /** The plugins that are switched off now. */
  | { readonly kind: 'plugins'; readonly off: readonly string[] }
  | { readonly kind: 'processing'; readonly paused: boolean }
  /** Answered by `partitions` with the same number. */
  | { readonly kind: 'look-at-partitions'; readonly request: number }
  /** Without a component: all of them. */
  | { readonly kind: 'log-level'; readonly component: string | undefined; readonly level: LogLevel }
  /** Stop accepting, make everything accepted durable, end. */
  | { readonly kind: 'stop' };

/** An incident whose cause, which can be any value, was turned into text. */
export type ReportedIncident = Omit<JournalIncident, 'cause'> & { readonly cause?: string };

export type FromWorker =
  /** Its journal is open. */
  | { readonly kind: 'ready' }
  /** It cannot start, and its thread ends after this. */
  | { readonly kind: 'failed'; readonly message: string; readonly whatToDo: string }
  /** All its inputs, whenever one changes, and the version of the newest snapshot it has applied. */
  | { readonly kind: 'states'; readonly version: number; readonly states: readonly InputStateReport[] }
  /** Every second, and once more before it ends. */
  | {
      readonly kind: 'report';
      readonly partitions: readonly PartitionReport[];
      readonly metrics: MetricsData;
    }
  /** All its outputs, every second, and the version of the newest snapshot it has applied. */
  /** How its journal partitions are right now, for `look-at-partitions`. */
  | { readonly kind: 'partitions'; readonly request: number; readonly partitions: readonly PartitionReport[] }
  | { readonly kind: 'outputs'; readonly version: number; readonly reports: readonly OutputReport[] }
  | { readonly kind: 'incident'; readonly incident: ReportedIncident }
  /** A stream exceeded its time limit for a message. */
  | { readonly kind: 'stream-fault'; readonly fault: StreamFault }
  /** A plugin threw something, or a call into it took too long. */
  | { readonly kind: 'plugin-fault'; readonly fault: PluginFault }
  /** A rule of a pipeline exceeded its time limit for a message. */
  | { readonly kind: 'rule-fault'; readonly fault: RuleFault }
  /** An extractor exceeded its time limit for a message. */
  | { readonly kind: 'extractor-fault'; readonly fault: ExtractorFault }
  /** Fields this worker has not stored before. */
  | { readonly kind: 'new-fields'; readonly fields: readonly SeenField[] }
  /** An input sends messages whose field names contain ids. */
  | { readonly kind: 'many-field-names'; readonly found: ManyFieldNames }
  /** Keys of remote lookup tables that rules want to know or have changed. Answered with `lookup-answers`. */
  | { readonly kind: 'lookup-requests'; readonly requests: LookupRequests }
  /** Messages for live tails. Answered with `tail-taken`. */
  | { readonly kind: 'tail'; readonly delivery: TailDelivery }
  /** A line of its log, as the logger writes it: JSON with a line feed at the end. */
  | { readonly kind: 'log'; readonly line: string };
