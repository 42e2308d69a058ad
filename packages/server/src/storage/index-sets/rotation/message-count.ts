import { field, types } from '#core/index.ts';
import { defineRotation, timeToReach } from '../strategy.ts';

export const messageCount = defineRotation({
  id: 'message-count',
  wireType: 'org.graylog2.indexer.rotation.strategies.MessageCountRotationStrategy',
  configWireType: 'org.graylog2.indexer.rotation.strategies.MessageCountRotationStrategyConfig',
  name: 'After a number of messages',
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
    limit: { messages: limit },
    lasts: ({ messagesPerDay }) => timeToReach(limit, messagesPerDay),
  }),
});
