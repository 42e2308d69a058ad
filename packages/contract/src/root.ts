import { z } from 'zod';

/** `GET /`: enough to tell which server answers. */
export const apiRootSchema = z
  .strictObject({
    cluster_id: z.string(),
    node_id: z.string(),
    version: z.string(),
    tagline: z.string(),
  })
  .meta({ id: 'ApiRoot' });
export type ApiRoot = z.infer<typeof apiRootSchema>;
