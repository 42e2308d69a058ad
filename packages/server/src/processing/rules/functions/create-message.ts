import { MessageValue } from '../context.ts';
import { defineFunction, optional } from '../define.ts';
import { requireCreatedLength, requireStorableTime } from '../message-limits.ts';
import { tooManyMessages } from '../too-many-messages.ts';

export const createMessageFunction = defineFunction({
  name: 'create_message',
  description: 'Creates a message in the default stream. It is processed, too.',
  params: [
    optional('message', 'String', 'The text of the new message; that of the current one if it is left out.'),
    optional('source', 'String', 'The source of the new message; that of the current one if it is left out.'),
    optional(
      'timestamp',
      'DateTime',
      'The time of the new message; the time at which the current one was received if it is left out.',
    ),
  ],
  returns: 'Message',
  hasEffect: true,
  call: (context, text, source, timestamp) => {
    const { batch, current } = context;
    const content = { message: text ?? current.message.message, source: source ?? current.message.source };
    requireCreatedLength(current.message, content.message);
    requireCreatedLength(current.message, content.source);
    if (timestamp !== undefined) requireStorableTime(timestamp.ms);
    const index = batch.create(current.index, {
      ...content,
      level: current.message.level,
      // Not the current time: a record that is read again must give the same messages.
      timestamp: timestamp?.ms ?? current.message.receivedAt,
    });
    const created = batch.messages[index];
    if (created === undefined) throw tooManyMessages(batch);
    return new MessageValue(created, index);
  },
});
