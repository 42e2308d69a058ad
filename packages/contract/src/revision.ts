import { z } from 'zod';

/** In answers: what people edit, as a short text that differs after every change. */
export const revisionSchema = z
  .string()
  .describe('Differs after every change of what people edit. Send it with a change to not overwrite others.');

/** In requests that change something. */
export const wantedRevisionSchema = z
  .string()
  .max(100)
  .nullable()
  .optional()
  .meta({ description: 'The revision that the change was made from: 409 if there is another one by now.' });
