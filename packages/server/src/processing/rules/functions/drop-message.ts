import { defineFunction, optional } from '../define.ts';

export const dropMessageFunction = defineFunction({
  name: 'drop_message',
  description:
    'Discards the message: it is neither stored nor sent to outputs. The rules that follow still run.',
  params: [optional('message', 'Message', 'The message; the current one if it is left out.')],
  returns: 'Void',
  hasEffect: true,
  call: ({ batch, current }, message = current) => batch.drop(message.index),
});
