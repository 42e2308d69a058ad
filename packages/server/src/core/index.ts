export type { AllowedTargets, AllowedUrls } from './allowed-targets.ts';
export { createAllowedTargets } from './allowed-targets.ts';
export type { AnswerLease, AnswerMemory } from './answer-memory.ts';
export { createAnswerMemory } from './answer-memory.ts';
export type { AuditEntry, AuditLog, Caller } from './audit.ts';
export { recordAction } from './audit.ts';
export type { Backoff, BackoffSettings } from './backoff.ts';
export { createBackoff, exponentialDelay } from './backoff.ts';
export { BoundedMap, ExpiringMap } from './bounded-map.ts';
export { forEachEntity } from './bulk.ts';
export type { Clock } from './clock.ts';
export { monotonicClock, systemClock, threadClock } from './clock.ts';
export type { ComponentRegistry, OpenComponentRegistry } from './component-registry.ts';
export { BUILT_IN, createComponentRegistry, NameClash } from './component-registry.ts';
export type { ComponentSecrets, DecryptedConfiguration, StoredConfiguration } from './component-secrets.ts';
export { createComponentSecrets, unreadableSecrets } from './component-secrets.ts';
export type { ComponentDefinition, ComponentExample, ComponentType } from './component-type.ts';
export {
  defineComponent,
  effectiveConfiguration,
  InvalidConfiguration,
  requireConfiguration,
  requireStorable,
} from './component-type.ts';
export { csvCell, csvLine } from './csv.ts';
export type { DirectoryLock } from './directory-lock.ts';
export { lockDirectory } from './directory-lock.ts';
export { createDroppedFields, type DroppedFields } from './dropped-fields.ts';
export { createDirectory, syncDirectory } from './durable-directory.ts';
export {
  ConflictError,
  errorCode,
  errorMessage,
  onConflict,
  PermanentError,
  RetryableError,
  StartupError,
} from './errors.ts';
export type { FaultCounter, FaultCounterSettings, FaultLedger } from './fault-ledger.ts';
export { createFaultCounter, createFaultLedger } from './fault-ledger.ts';
export type { FieldLayouts, FieldLayoutsConfig } from './field-layout.ts';
export { createFieldLayouts, FieldLayout } from './field-layout.ts';
export { isFieldName, isProtectedFieldName } from './field-names.ts';
export type { FieldValue } from './field-value.ts';
export { fieldValueOf } from './field-value.ts';
export type { HostPort } from './host-port.ts';
export { formatHostPort, parseHostPort } from './host-port.ts';
export type { HttpAnswer, HttpClient, HttpClientDeps, HttpRequest } from './http-client.ts';
export { createHttpClient, HttpFailure } from './http-client.ts';
export { headerProblems, httpHeader, isHeader } from './http-headers.ts';
export { isEntityId, newEntityId } from './id.ts';
export { withoutIgnoreCaseGroups } from './ignore-case-groups.ts';
export type {
  FrameBatch,
  FrameSource,
  JournalReader,
  JournalRefusal,
  JournalStats,
  JournalWriter,
  MessageOrigin,
  ReadLimit,
  RecordBatch,
  ReplayBatch,
  RewindableReader,
} from './journal.ts';
export type { Lifecycle, LifecycleObserver } from './lifecycle.ts';
export { createLifecycle } from './lifecycle.ts';
export { machineMemoryBytes } from './machine-memory.ts';
export type { FieldReader, MessageInFrame, MessageInit } from './message.ts';
export { fieldReader, fieldWriter, INCOMPLETE_FRAME, Message } from './message.ts';
export type { FrameShape, MessageFrames, StagedField, StagedRows } from './message-frames.ts';
export { STAGED_TYPE } from './message-frames.ts';
export type { MessageIdParts } from './message-id.ts';
export {
  MESSAGE_ID_ALPHABET,
  MESSAGE_ID_DIGITS,
  MESSAGE_ID_LENGTH,
  MESSAGE_ID_OFFSETS,
  MESSAGE_ID_PARTITIONS,
  messageIdText,
  parseMessageId,
} from './message-id.ts';
export { MessageIdBytes, messageIdLength } from './message-id-bytes.ts';
export type { PagedElements } from './page-of.ts';
export { pageOf, partOf } from './page-of.ts';
export type { PeriodicJob } from './periodic-job.ts';
export { createPeriodicJob } from './periodic-job.ts';
export type {
  AuthenticationAttempt,
  AuthenticationFailure,
  AuthenticationResult,
  Authenticator,
  Principal,
} from './principal.ts';
export { DEVICE_COOKIE, isAuthenticationFailure, SESSION_COOKIE } from './principal.ts';
export type { CountsChanges } from './read-after-changes.ts';
export { readAfterChanges } from './read-after-changes.ts';
export type { RevisionCheck } from './revision.ts';
export { requireRevision, revisionOf } from './revision.ts';
export type { RoutedBatch, RoutingTarget } from './routing.ts';
export { recordOffset } from './routing.ts';
export type {
  ConfigurationFields,
  ConfigurationOf,
  ConfigurationProblem,
  Field,
  FieldOptions,
  JsonSchema,
  ParseContext,
  RawConfiguration,
  RequestedField,
  ValueType,
} from './schema/index.ts';
export {
  field,
  InvalidValue,
  jsonSchemaOf,
  keepStoredSecrets,
  PASSWORD_SET,
  parseConfiguration,
  redactAsSent,
  redactConfiguration,
  requestedConfiguration,
  types,
} from './schema/index.ts';
export { Secret } from './secret.ts';
export type { SecretCipher } from './secret-cipher.ts';
export { createSecretCipher, deriveKey } from './secret-cipher.ts';
export type { ServiceErrorOptions } from './service-errors.ts';
export {
  ForbiddenError,
  InvalidError,
  NotFoundError,
  ServiceError,
  StateConflictError,
  TooManyRequestsError,
  UnauthenticatedError,
  UnavailableError,
} from './service-errors.ts';
export type {
  ObserverSink,
  OpenOutputSink,
  OutputBatch,
  OutputPartition,
  OutputSink,
  StorageSink,
} from './sinks.ts';
export type { Startable } from './startable.ts';
export { MAX_TIMESTAMP_MS, MIN_TIMESTAMP_MS } from './storable-time.ts';
export type { TaskThread, TaskThreads } from './task-threads.ts';
export { askOnce, createTaskThreads } from './task-threads.ts';
export type { TimeGuard } from './time-guard.ts';
export { createTimeGuard } from './time-guard.ts';
export type { Timers } from './timers.ts';
export { systemTimers } from './timers.ts';
export type { Turns, TurnsSettings } from './turns.ts';
export { createTurns } from './turns.ts';
export { type UnmetDemand, unmetDemand } from './unmet-demand.ts';
export type { VersionWaiters } from './version-waiters.ts';
export { createVersionWaiters } from './version-waiters.ts';
export {
  DEFAULT_INDEX_SET_ID,
  DEFAULT_STREAM_ID,
  EVENT_INDEX_SET_ID,
  EVENT_STREAM_ID,
  FAILURE_FIELDS,
  FAILURE_INDEX_SET_ID,
  FAILURE_STREAM_ID,
  type FailureField,
} from './well-known.ts';
