import {
  bindFields,
  connectionFields,
  createInputMetrics,
  createStreamInput,
  DecodeFailure,
  decodeFrameByFrame,
  defineCodec,
  defineInput,
  definePlugin,
  field,
  isFieldName,
  isProtectedFieldName,
  Message,
  tlsFields,
  tlsProblems,
  types,
} from '@millrace/plugin-api';

const INFORMATIONAL = 6;
const MAX_LINE_BYTES = 64 * 1024;

/** `signed in user=ada`: words with a separator are fields, the others are the text. */
const codec = defineCodec({
  id: 'key-value',
  // In every record of the journal: it must never change.
  journalId: 128,
  name: 'Key value',
  description: 'Lines of text with fields in them, such as user=ada.',
  fields: {
    separator: field(types.text({ maxLength: 10 }), {
      humanName: 'Separator',
      description: 'What stands between the name and the value of a field.',
      default: '=',
    }),
  },
  failureReasons: ['no_text'],
  create: ({ layouts }, { separator }) =>
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

const TYPE = { typeId: 'key-value-tcp', wireType: 'key-value-tcp' };

const input = defineInput({
  id: TYPE.typeId,
  name: 'Key value TCP',
  description: 'Takes lines of text with fields in them from TCP connections.',
  transport: 'tcp',
  codec: 'key-value',
  fields: { ...bindFields(5555), ...connectionFields, ...tlsFields },
  check: tlsProblems,
  create(context, config) {
    const metrics = createInputMetrics(context.metrics, { ...TYPE, inputId: context.inputId });
    return createStreamInput(context, metrics, config, {
      framing: { delimiter: 'newline', maxFrameBytes: MAX_LINE_BYTES },
      idleTimeoutMs: 0,
      frameTimeoutMs: 0,
    });
  },
});

export default definePlugin({ components: [codec, input] });
