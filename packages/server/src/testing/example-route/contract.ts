import { entityIdParameter } from '@millrace/contract';
import { z } from 'zod';

/** Step 1 of docs/how-to/add-a-route.md; a real resource has this in `packages/contract`. */
export const bookmarkSchema = z
  .object({
    id: entityIdParameter,
    title: z.string().meta({ description: 'What the user calls it', examples: ['Failed logins'] }),
  })
  .meta({ id: 'Bookmark' });

export const createBookmarkSchema = z
  .strictObject({ title: z.string().min(1).max(100).meta({ description: 'What the user calls it' }) })
  .meta({ id: 'CreateBookmarkRequest' });

export type Bookmark = z.output<typeof bookmarkSchema>;
