import { z } from 'zod';
import { timestampSchema } from './time.ts';

const bufferSchema = z.object({
  utilization_units: z.number().min(0).describe('Messages that wait.'),
  utilization: z.number().min(0).describe('Percent of what may wait.'),
});

/** `GET /system/buffers` */
export const buffersSchema = z
  .object({
    buffers: z.object({
      input: bufferSchema.describe('Received, not written to the journal yet.'),
      process: bufferSchema.describe('In the journal, not processed yet.'),
      output: bufferSchema.describe('Processed, not stored yet.'),
    }),
  })
  .meta({ id: 'Buffers' });
export type Buffers = z.infer<typeof buffersSchema>;

/** `GET /system/processing/status` */
export const processingStatusSchema = z
  .object({
    receive_times: z.object({
      ingest: timestampSchema.describe(
        'The time of the answer. Messages received a moment before may not be in the journal yet.',
      ),
      post_processing: timestampSchema.describe(
        'All messages received before are processed. The same as `post_indexing`: messages that are not stored may be processed or not.',
      ),
      post_indexing: timestampSchema.describe('All messages received before are stored.'),
    }),
  })
  .meta({ id: 'ProcessingStatus' });
export type ProcessingStatus = z.infer<typeof processingStatusSchema>;

/** `GET /cluster/processing/status` */
export const clusterProcessingStatusSchema = z
  .record(z.string(), processingStatusSchema.nullable())
  .meta({ id: 'ClusterProcessingStatus', description: 'By node id; null for a node that did not answer.' });
