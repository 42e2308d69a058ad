import { DecodeFailure, decodeFrameByFrame, defineCodec } from '#codecs/index.ts';
import { field, isFieldName, isProtectedFieldName, Message, types } from '#core/index.ts';

const INFORMATIONAL = 6;

/** `hello world user=ada`: words with a separator are fields, the others are the text. */
export const pairsCodec = defineCodec({
  id: 'pairs',
  wireType: 'pairs',
  journalId: 250,
  name: 'Pairs',
  description: 'Lines of text with fields in them, such as "user=ada".',
  fields: {
    pair_separator: field(types.text(), {
      humanName: 'Separator',
      description: 'What stands between the name and the value of a field.',
      default: '=',
    }),
  },
  failureReasons: ['no_text'],
  create: ({ layouts }, { pair_separator: separator }) =>
    decodeFrameByFrame((frame, origin, receivedAt) => {
      const words = frame.toString('utf8').split(' ').filter(Boolean);
      const isPair = (word: string): boolean => word.indexOf(separator) > 0;
      const text = words.filter((word) => !isPair(word)).join(' ');
      if (text === '') return new DecodeFailure('no_text', 'there is no text beside the fields');
      const message = new Message({
        timestamp: receivedAt,
        source: origin.remoteAddress,
        message: text,
        fullMessage: undefined,
        level: INFORMATIONAL,
        layout: layouts.empty(),
        values: [],
        notes: 0,
        origin,
        receivedAt,
        size: frame.length,
      });
      for (const pair of words.filter(isPair)) {
        const at = pair.indexOf(separator);
        const name = pair.slice(0, at);
        if (isFieldName(name) && !isProtectedFieldName(name)) {
          message.setField(name, pair.slice(at + separator.length));
        }
      }
      return message;
    }),
});
