/**
 * What the main thread and an intake thread say to each other. Everything here is plain data that can be
 * cloned from one thread into the other; nothing is shared but the journal's byte budget
 * and the counters of stream faults.
 */
import type { JournalStats } from '#core/index.ts';
import type { InputStateReport, WantedInput } from '#inputs/index.ts';
import type { JournalIncident } from '#journal/index.ts';
import type { ProcessingSnapshot, StreamFault } from '#processing/index.ts';
import type { TailDelivery, WantedTails } from '#search/tail/index.ts';
import type { IndexSetSnapshot, SeenField } from '#storage/index.ts';
import type { LogLevel, MetricsData } from '#telemetry/index.ts';

/** A journal partition that an intake thread opens. */
export interface AssignedPartition {
  readonly number: number;
  readonly directory: string;
  /** Its place in the shared byte budget. */
  readonly holder: number;
}

/** What a thread is given when it is made; it holds for its whole life. */
export interface IntakeThreadData {
  /** Its number, from 0. */
  readonly thread: number;
  readonly logLevel: LogLevel;
  /** Other threads of this node listen on the same ports. */
  readonly sharesPorts: boolean;
  /** The partition it appends to. */
  readonly partition: AssignedPartition;
  /** Partitions of threads that are no more: they are read until they are empty, never written. */
  readonly leftovers: readonly AssignedPartition[];
  readonly budget: SharedArrayBuffer;
  readonly journal: JournalSettings;
  readonly udpReceiveBufferBytes: number;
  /** Where the self-signed certificate of this node is, or will be. */
  readonly certificateDirectory: string;
}

export interface JournalSettings {
  readonly flushAgeMs: number;
  readonly fullPolicy: 'block' | 'drop_oldest';
  readonly segmentBytes: number;
  readonly segmentAgeMs: number;
}

/** The inputs that should be there, whole: what is not in it is removed. A higher version replaces a lower one. */
export interface InputSnapshot {
  readonly version: number;
  readonly inputs: readonly WantedInput[];
}

/** A ClickHouse server, in a form that goes from thread to thread. */
export interface StorageServer {
  readonly url: string;
  readonly username: string;
  readonly password: string;
}

/** What processing must know; each replaces the one before of its kind. */
export type ProcessingMessage =
  | { readonly kind: 'streams'; readonly snapshot: ProcessingSnapshot }
  | { readonly kind: 'index-sets'; readonly snapshot: IndexSetSnapshot }
  /** Without servers as long as nobody knows where they are; processing begins all the same. */
  | { readonly kind: 'storage'; readonly database: string; readonly servers: readonly StorageServer[] };

export type ToIntakeThread =
  | { readonly kind: 'inputs'; readonly snapshot: InputSnapshot }
  | ProcessingMessage
  /** What is followed live, whole. */
  | { readonly kind: 'tails'; readonly wanted: WantedTails }
  /** A delivery for the live tails was taken. */
  | { readonly kind: 'tail-taken' }
  | { readonly kind: 'processing'; readonly paused: boolean }
  /** Without a component: all of them. */
  | { readonly kind: 'log-level'; readonly component: string | undefined; readonly level: LogLevel }
  /** Stop accepting, make everything accepted durable, end. */
  | { readonly kind: 'stop' };

export interface PartitionReport {
  readonly number: number;
  readonly stats: JournalStats;
}

/** An incident whose cause, which may be anything, has become text. */
export type ReportedIncident = Omit<JournalIncident, 'cause'> & { readonly cause?: string };

export type FromIntakeThread =
  /** Its journal is open. */
  | { readonly kind: 'ready' }
  /** It cannot start; it ends by itself after this. */
  | { readonly kind: 'failed'; readonly message: string; readonly whatToDo: string }
  /** All its inputs, whenever one changes; and the version of the newest snapshot it has done with. */
  | { readonly kind: 'states'; readonly version: number; readonly states: readonly InputStateReport[] }
  /** Every second, and once more before it ends. */
  | {
      readonly kind: 'report';
      readonly partitions: readonly PartitionReport[];
      readonly metrics: MetricsData;
    }
  | { readonly kind: 'incident'; readonly incident: ReportedIncident }
  /** A stream took too long for a message. */
  | { readonly kind: 'stream-fault'; readonly fault: StreamFault }
  /** Fields this thread has not stored before. */
  | { readonly kind: 'new-fields'; readonly fields: readonly SeenField[] }
  /** What somebody follows live. Answered with `tail-taken`. */
  | { readonly kind: 'tail'; readonly delivery: TailDelivery }
  /** A line of its log, as the logger writes it: JSON with a line feed at the end. */
  | { readonly kind: 'log'; readonly line: string };
