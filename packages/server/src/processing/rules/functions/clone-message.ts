import { MessageValue } from '../context.ts';
import { defineFunction, optional } from '../define.ts';
import { tooManyMessages } from '../too-many-messages.ts';

export const cloneMessageFunction = defineFunction({
  name: 'clone_message',
  description: 'Copies a message, with its fields and streams. The copy is processed, too.',
  params: [
    optional('message', 'Message', 'The message; the current one if it is left out.'),
    optional(
      'preventLoops',
      'Boolean',
      'Whether a message that the same rule has copied is not copied again; false if it is left out.',
    ),
  ],
  returns: 'Message',
  hasEffect: true,
  call: (context, message = context.current, preventLoops = false) => {
    if (preventLoops && context.isOwnClone(message.message)) return undefined;
    const { batch } = context;
    const index = batch.clone(message.index);
    const copy = batch.messages[index];
    if (copy === undefined) throw tooManyMessages(batch);
    context.cloned(copy);
    return new MessageValue(copy, index);
  },
});
