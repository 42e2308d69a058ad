export type {
  InputHost,
  InputHostConfig,
  InputHostDeps,
  InputState,
  InputStateReport,
  WantedInput,
} from './host.ts';
export { createInputHost } from './host.ts';
export type {
  CertificatePair,
  HostContext,
  Input,
  InputContext,
  InputTransport,
  InputType,
  InputTypeDefinition,
  Listening,
  ListeningAt,
  TestMessage,
  UdpReading,
} from './input.ts';
export { defineInputType, InputStartError } from './input.ts';
export { createInputMetrics } from './input-metrics.ts';
export { createCertificateStore } from './net/certificate-store.ts';
export { bindFields, connectionFields, tlsFields, tlsProblems } from './net/fields.ts';
export { probePort } from './net/probe.ts';
export { createStreamInput } from './net/stream-input.ts';
export { INPUT_TYPES } from './registry.ts';
