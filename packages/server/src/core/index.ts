export type { Clock } from './clock.ts';
export { ManualClock, systemClock } from './clock.ts';
export type { Component } from './component.ts';
export { errorCode, errorMessage, PermanentError, RetryableError, StartupError } from './errors.ts';
export { isEntityId, newEntityId } from './id.ts';
export { Secret } from './secret.ts';
