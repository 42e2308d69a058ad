import { z } from 'zod';

/** In answers: what people edit, as a short text that differs after every change. */
export const revisionSchema = z
  .string()
  .describe('Differs after every change of what people edit. Send it with a change to not overwrite others.');

/** In requests that change something. */
export const wantedRevisionSchema = z.string().max(100).nullable().optional().meta({
  description:
    'Of a change: the revision that it was made from; 409 if there is another one by now. Without it, and for something new, nothing is compared.',
});
