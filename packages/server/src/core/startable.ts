/**
 * A part of the node that is started and stopped.
 *
 * Contract: `start` resolves when the part is ready for use and rejects when it cannot be; it is called at
 * most once. `stop` flushes, releases everything and resolves; it may be called at any time, also before
 * `start`, while `start` is still running, and more than once.
 */
export interface Startable {
  readonly name: string;
  start(): Promise<void>;
  stop(): Promise<void>;
}
