import { defineFunction, optional, required } from '../define.ts';

export const metricCounterIncFunction = defineFunction({
  name: 'metric_counter_inc',
  description: 'Adds to a counter among the metrics of the node.',
  params: [
    required('name', 'String', 'The name of the counter.'),
    optional('value', 'Long', 'How much to add; 1 if it is left out.'),
  ],
  returns: 'Void',
  hasEffect: true,
  call: ({ environment }, name, value = 1) => environment.count(name, Number(value)),
});
