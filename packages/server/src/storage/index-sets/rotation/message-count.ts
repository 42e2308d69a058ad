import { z } from 'zod';
import { defineRotation } from '../strategy.ts';

export const messageCount = defineRotation({
  id: 'message-count',
  className: 'org.graylog2.indexer.rotation.strategies.MessageCountRotationStrategy',
  configClassName: 'org.graylog2.indexer.rotation.strategies.MessageCountRotationStrategyConfig',
  title: 'Index message count',
  config: z.object({
    max_docs_per_index: z.int().min(1).default(20_000_000).describe('Messages in an index.'),
  }),
  due: (index, { max_docs_per_index: limit }) =>
    index.messages >= limit ? `it has ${index.messages} messages, the limit is ${limit}` : undefined,
});
