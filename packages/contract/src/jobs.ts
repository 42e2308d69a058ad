import { z } from 'zod';
import { timestampSchema } from './time.ts';

export const systemJobSchema = z
  .object({
    id: z.string(),
    name: z.string().describe('The type of the job.'),
    description: z.string(),
    info: z.string().describe('Its current activity, or why it failed.'),
    node_id: z.string(),
    started_at: timestampSchema,
    percent_complete: z.int().min(0).max(100),
    is_cancelable: z.boolean(),
    provides_progress: z.boolean(),
    job_status: z.enum(['running', 'complete', 'cancelled', 'error']),
  })
  .meta({ id: 'SystemJob' });
export type SystemJob = z.infer<typeof systemJobSchema>;

/** `GET /system/jobs` */
export const systemJobListSchema = z.object({ jobs: z.array(systemJobSchema) }).meta({ id: 'SystemJobList' });
export type SystemJobList = z.infer<typeof systemJobListSchema>;

/** `GET /cluster/jobs` */
export const clusterJobListSchema = z
  .record(z.string(), systemJobListSchema.nullable())
  .meta({ id: 'ClusterJobList', description: 'By node id; null for a node that did not answer in time.' });

export const systemJobRequestSchema = z
  .strictObject({ job_name: z.string().min(1).max(200) })
  .meta({ id: 'SystemJobRequest' });

/** `POST /system/jobs` */
export const systemJobStartedSchema = z
  .object({ system_job_id: z.string() })
  .meta({ id: 'SystemJobStarted' });

export const jobIdParameter = z.string().min(1).max(100).meta({ description: 'Job id' });
