export type {
  InputHost,
  InputHostConfig,
  InputHostDeps,
  InputState,
  InputStateReport,
  WantedInput,
} from './host.ts';
export { INPUT_STATES } from './host.ts';
export type { CertificatePair, Input, InputContext, InputTransport, InputType, Listening } from './input.ts';
export { InputStartError, InvalidInputConfiguration } from './input.ts';
