export type { HostedPartition, OutputHost, OutputHostDeps } from './host.ts';
export { createOutputHost } from './host.ts';
export type {
  BatchLimits,
  Encoding,
  OutgoingMessage,
  Output,
  OutputContext,
  OutputPlan,
  OutputType,
  OutputTypeDefinition,
} from './output.ts';
export { defineOutputType, RefusedError, RetryAfterError } from './output.ts';
export type { OutputReport, OutputState, WantedOutput } from './output-state.ts';
export type { RefusedMessage } from './queue-delivery.ts';
export { queuedPartitions } from './queued-partitions.ts';
export { OUTPUT_TYPES } from './registry.ts';
