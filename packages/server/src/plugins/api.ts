/**
 * Everything that a plugin may import, as `@millrace/plugin-api`. What is here stays as it is within a version of the
 * plugin API. It is loaded in workers too, so it holds no code that only the main thread needs.
 */
export type {
  AlertNotice,
  BacklogMessage,
  NoticeKind,
  NotificationContext,
  NotificationSender,
  SendProgress,
  SendReport,
} from '#alerts/notifications/index.ts';
export { givesUp, SendFailure, triesAgain } from '#alerts/notifications/index.ts';
export type { Condition, ConditionParts, EvaluationWindow, Finding } from '#alerts/service.ts';
export type { DecodeResult, Decoder, DecoderContext, Encoder, FrameColumns } from '#codecs/index.ts';
export { DecodeFailure, decodeFrameByFrame } from '#codecs/index.ts';
export type {
  ComponentExample,
  ConfigurationFields,
  ConfigurationOf,
  ConfigurationProblem,
  FieldValue,
  FrameBatch,
  FrameSource,
  JournalWriter,
  MessageOrigin,
  RawConfiguration,
} from '#core/index.ts';
export { field, isFieldName, isProtectedFieldName, Message, Secret, types } from '#core/index.ts';
export type {
  HostContext,
  Input,
  InputContext,
  InputTransport,
  Listening,
  ListeningAt,
  TestMessage,
} from '#inputs/index.ts';
export {
  bindFields,
  connectionFields,
  createInputMetrics,
  createStreamInput,
  InputStartError,
  tlsFields,
  tlsProblems,
} from '#inputs/index.ts';
export type { BatchLimits, Encoding, OutgoingMessage, Output, OutputContext } from '#outputs/index.ts';
export { RefusedError, RetryAfterError } from '#outputs/index.ts';
export { nullable, optional, required } from '#processing/rules/index.ts';
export type { Figure, FigureValue, Measured, MeasuredRow, Measurement } from '#search/service.ts';
export type { IndexFigures, Retention, Rotation } from '#storage/service.ts';
export type { StreamRuleDefinition } from './contain/stream-rule.ts';
export type { Plugin, PluginComponent, PluginKind } from './definition.ts';
export {
  codec as defineCodec,
  condition as defineCondition,
  definePlugin,
  input as defineInput,
  notification as defineNotification,
  output as defineOutput,
  pipelineFunction as defineFunction,
  retention as defineRetention,
  rotation as defineRotation,
  streamRule as defineStreamRule,
} from './definition.ts';
export { gelfEncoding, jsonEncoding } from './encodings.ts';
