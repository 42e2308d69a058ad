import { field, types } from '#core/index.ts';
import { defineRotation } from '../strategy.ts';

export const messageCount = defineRotation({
  id: 'message-count',
  wireType: 'org.graylog2.indexer.rotation.strategies.MessageCountRotationStrategy',
  configWireType: 'org.graylog2.indexer.rotation.strategies.MessageCountRotationStrategyConfig',
  name: 'Index message count',
  description: 'Begins a new index when the active one has a number of messages.',
  fields: {
    max_docs_per_index: field(types.integer({ min: 1 }), {
      humanName: 'Maximum number of messages',
      description: 'Messages in an index.',
      default: 20_000_000,
    }),
  },
  create: (_context, { max_docs_per_index: limit }) => ({
    due: ({ messages }) =>
      messages >= limit ? `it has ${messages} messages, the limit is ${limit}` : undefined,
  }),
});
