import { write } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode, field, types } from '#core/index.ts';
import { jsonEncoding } from '../json-encoding.ts';
import { serverFieldsField } from '../net/fields.ts';
import { defineOutputType, type OutgoingMessage } from '../output.ts';

const STANDARD_OUTPUT = 1;
const FULL_PIPE_PAUSE_MS = 20;

/** @param descriptor gives that of the file or pipe that it writes to */
export const stdoutOutputTo = (descriptor: () => number) =>
  defineOutputType({
    id: 'stdout',
    wireType: 'org.graylog2.outputs.LoggingOutput',
    name: 'STDOUT',
    description: 'Writes messages to the standard output of the node, one JSON object on each line.',
    fields: {
      prefix: field(types.text({ minLength: 0 }), {
        humanName: 'Prefix',
        description: 'Written before each message.',
        default: 'Writing message: ',
        optional: true,
      }),
      include_server_fields: serverFieldsField,
    },
    encoding: ({ include_server_fields: serverFields }) => jsonEncoding(serverFields),
    create: (_context, { prefix }) => ({
      send: (messages, signal) => writeAll(descriptor(), linesOf(messages, prefix), signal),
      close: async () => true,
    }),
  });

export const stdoutOutput = stdoutOutputTo(() => STANDARD_OUTPUT);

function linesOf(messages: readonly OutgoingMessage[], prefix: string): Buffer {
  const start = Buffer.from(prefix);
  const lineFeed = Buffer.from('\n');
  return Buffer.concat(messages.flatMap(({ payload }) => [start, payload, lineFeed]));
}

/** A reader of a pipe may be slow, and then a part is written or nothing at all. */
async function writeAll(descriptor: number, lines: Buffer, signal: AbortSignal): Promise<void> {
  for (let at = 0; at < lines.length; ) {
    if (signal.aborted) throw new Error('stopped');
    try {
      at += await writeSome(descriptor, lines, at);
    } catch (error) {
      if (errorCode(error) !== 'EAGAIN') throw error;
      await delay(FULL_PIPE_PAUSE_MS);
    }
  }
}

function writeSome(descriptor: number, bytes: Buffer, at: number): Promise<number> {
  return new Promise((resolve, reject) => {
    write(descriptor, bytes, at, bytes.length - at, null, (error, written) => {
      if (error) reject(error);
      else resolve(written);
    });
  });
}
