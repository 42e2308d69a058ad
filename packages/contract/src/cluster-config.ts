import { z } from 'zod';

/** `GET /system/cluster_config` */
export const clusterConfigListSchema = z
  .object({ total: z.int().min(0), classes: z.array(z.string()) })
  .meta({ id: 'ClusterConfigList' });
export type ClusterConfigList = z.infer<typeof clusterConfigListSchema>;

/** `GET` and `PUT /system/cluster_config/{class}` */
export const clusterConfigSchema = z
  .record(z.string().max(200), z.unknown())
  .meta({ id: 'ClusterConfig', description: 'The properties depend on the class.' });
export type ClusterConfig = z.infer<typeof clusterConfigSchema>;

export const clusterConfigClassParameter = z
  .string()
  .min(1)
  .max(300)
  .meta({ description: 'Name of a class', example: 'org.graylog2.users.UserConfiguration' });
