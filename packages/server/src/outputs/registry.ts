import { createComponentRegistry } from '#core/index.ts';
import { clickhouseOutput } from './clickhouse/output.ts';
import { fileOutput } from './file/output.ts';
import { gelfOutput } from './gelf/output.ts';
import { httpOutput } from './http/output.ts';
import { kafkaOutput } from './kafka/output.ts';
import type { OutputType } from './output.ts';
import { s3Output } from './s3/output.ts';
import { stdoutOutput } from './stdout/output.ts';
import { syslogOutput } from './syslog/output.ts';

/** Every output type there is. A new one is its folder and a line here. */
export const OUTPUT_TYPES = createComponentRegistry<OutputType>('output', [
  gelfOutput,
  stdoutOutput,
  httpOutput,
  syslogOutput,
  fileOutput,
  clickhouseOutput,
  s3Output,
  kafkaOutput,
]);
