/** What the codecs make of a text, for those who want to see it without sending it. Nothing is stored. */
import type { MessageResultView, ParseMessageRequest } from '@millrace/contract';
import { type Clock, createFieldLayouts, InvalidError, NotFoundError } from '#core/index.ts';
import { createGelfDecoder } from './format/gelf/decode.ts';
import { GelfFailure } from './format/gelf/failure.ts';

/** Throws `NotFoundError` for an unknown codec and `InvalidError` for what it cannot read. */
export type ParseMessage = (request: ParseMessageRequest) => MessageResultView;

const CODECS = ['gelf'];
/** It comes from no input. */
const NO_INPUT = '';

export function createMessageParser(deps: { readonly clock: Clock }): ParseMessage {
  const decoder = createGelfDecoder(createFieldLayouts());
  return (request) => {
    if (!CODECS.includes(request.codec)) {
      throw new NotFoundError(
        `There is no codec ${JSON.stringify(request.codec)}. Known: ${CODECS.join(', ')}.`,
      );
    }
    const source = { inputId: NO_INPUT, remoteAddress: request.remote_address ?? '127.0.0.1', remotePort: 0 };
    const message = decoder.decode(Buffer.from(request.message), source, deps.clock.now());
    if (message instanceof GelfFailure) {
      throw new InvalidError(`The codec ${request.codec} cannot decode the message: ${message.detail}.`);
    }
    const timestamp = new Date(message.timestamp).toISOString();
    const fields: Record<string, unknown> = {
      timestamp,
      source: message.source,
      message: message.message,
      ...(message.fullMessage !== undefined && { full_message: message.fullMessage }),
      level: message.level,
      gl2_remote_ip: source.remoteAddress,
    };
    message.forEachField((name, value) => {
      fields[name] = typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value;
    });
    return {
      message: {
        id: '',
        timestamp,
        source: message.source,
        message: message.message,
        fields,
        streams: [],
        stream_ids: [],
      },
      index: '',
    };
  };
}
