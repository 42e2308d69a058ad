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
  Listening,
  UdpReading,
} from './input.ts';
export { InputStartError } from './input.ts';
export { createCertificateStore } from './net/certificate-store.ts';
export { probePort } from './net/probe.ts';
export { INPUT_TYPES } from './registry.ts';
