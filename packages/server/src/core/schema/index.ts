export type { RequestedField } from './descriptor.ts';
export { jsonSchemaOf, requestedConfiguration } from './descriptor.ts';
export type {
  ConfigurationOf,
  ConfigurationProblem,
  ParsedConfiguration,
  RawConfiguration,
} from './fields.ts';
export { field, parseConfiguration, writeFields } from './fields.ts';
export {
  keepStoredSecrets,
  mapSecrets,
  PASSWORD_SET,
  redactAsSent,
  redactConfiguration,
  unknownSecrets,
} from './secrets.ts';
export * as types from './types.ts';
export type {
  ConfigurationFields,
  Field,
  FieldOptions,
  JsonSchema,
  ParseContext,
  ValueType,
} from './value-type.ts';
export { InvalidValue } from './value-type.ts';
