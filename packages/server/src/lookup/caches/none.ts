import { defineCache } from '../cache-type.ts';

export const noCache = defineCache({
  id: 'none',
  name: 'No cache',
  description: 'Every key is looked up anew.',
  fields: {},
});
