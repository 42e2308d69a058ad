import { defineFunction, optional } from '../define.ts';

export const trafficAccountingSizeFunction = defineFunction({
  name: 'traffic_accounting_size',
  description: 'The number of bytes with which the message counts as traffic.',
  params: [optional('message', 'Message', 'The message; the current one if it is left out.')],
  returns: 'Long',
  call: ({ current }, message = current) => message.message.size,
});
