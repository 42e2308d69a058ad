export * from './form-field.ts';
export * from './form-values.ts';
export * from './from-configuration.ts';
export * from './from-json-schema.ts';
