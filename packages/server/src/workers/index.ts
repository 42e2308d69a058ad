/** What the composition root uses of this folder; `entry.ts` is what a worker runs. */
export type { IncidentReporter, IncidentReporterDeps, IncidentReporterSettings } from './incidents.ts';
export { createIncidentReporter } from './incidents.ts';
export type {
  FollowMessage,
  LookupMessage,
  LookupReply,
  WorkerPool,
  WorkerPoolDeps,
  WorkerPoolSettings,
} from './pool.ts';
export { createWorkerPool } from './pool.ts';
export type {
  JournalSettings,
  ProcessingMessage,
  ReportedIncident,
  StorageServer,
  WorkerAssignment,
} from './protocol.ts';
export { createSimulationThreads, type SimulationThreadsSettings } from './simulation-threads.ts';
export type { WorkerEvents } from './supervisor.ts';
