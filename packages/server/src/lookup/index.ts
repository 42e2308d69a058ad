/** Lookup tables in the workers: data that rules look up. The main thread loads it, see `service.ts`. */
export type { LookupAnswer, LookupObject, LookupValue } from './answer.ts';
export type { LookupChange, LookupEntryValue } from './remote/change.ts';
export type { ForgottenKey, LookupRequests, RemoteAnswer } from './remote/messages.ts';
export type { Reply } from './remote/remote-lookups.ts';
export type { SimulatedLookups } from './simulated-lookups.ts';
export { createSimulatedLookups } from './simulated-lookups.ts';
export type { LookupSnapshot, LookupSource, TableData } from './source.ts';
export type { WorkerLookups } from './worker-lookups.ts';
export { createWorkerLookups } from './worker-lookups.ts';
