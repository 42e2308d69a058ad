import { defineFunction, optional, required } from '../define.ts';

export const grokExistsFunction = defineFunction({
  name: 'grok_exists',
  description: 'Whether there is a grok pattern of this name.',
  params: [
    required('pattern', 'String', 'The name.'),
    optional('log_missing', 'Boolean', 'Accepted and ignored: Graylog writes a line to its log.'),
  ],
  returns: 'Boolean',
  call: ({ environment }, pattern) => environment.grokPatterns.has(pattern),
});
