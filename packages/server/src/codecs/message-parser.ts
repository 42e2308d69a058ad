/** Shows what a codec makes of a text. Nothing is stored. */
import type { MessageResultView, ParseMessageRequest } from '@millrace/contract';
import {
  type Clock,
  type ComponentRegistry,
  createFieldLayouts,
  InvalidConfiguration,
  InvalidError,
  NotFoundError,
} from '#core/index.ts';
import { type Codec, DecodeFailure } from './format/codec.ts';
import { SENDER_CODECS } from './registry.ts';

/** Throws `NotFoundError` for an unknown codec and `InvalidError` for what it cannot read. */
export type ParseMessage = (request: ParseMessageRequest) => MessageResultView;

export interface MessageParserDeps {
  readonly clock: Clock;
  readonly codecs?: ComponentRegistry<Codec>;
}

export function createMessageParser({ clock, codecs = SENDER_CODECS }: MessageParserDeps): ParseMessage {
  const layouts = createFieldLayouts();
  return (request) => {
    const codec = codecs.find(request.codec);
    if (codec === undefined) {
      const known = codecs.types.map(({ wireType }) => wireType).join(', ');
      throw new NotFoundError(`There is no codec ${JSON.stringify(request.codec)}. Known: ${known}.`);
    }
    const decoder = codec.create({ layouts }, request.configuration ?? {});
    if (decoder instanceof InvalidConfiguration) throw new InvalidError(`configuration: ${decoder.text}`);
    const origin = { inputId: '', remoteAddress: request.remote_address ?? '127.0.0.1', remotePort: 0 };
    const message = decoder.decode(Buffer.from(request.message), origin, clock.now());
    if (message instanceof DecodeFailure) {
      throw new InvalidError(`The codec ${request.codec} cannot decode the message: ${message.detail}.`);
    }
    const timestamp = new Date(message.timestamp).toISOString();
    const fields: Record<string, unknown> = {
      timestamp,
      source: message.source,
      message: message.message,
      ...(message.fullMessage !== undefined && { full_message: message.fullMessage }),
      level: message.level,
      gl2_remote_ip: origin.remoteAddress,
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
