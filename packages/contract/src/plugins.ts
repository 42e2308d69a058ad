import { z } from 'zod';

export const pluginStateSchema = z.enum(['running', 'switched_off', 'failed']).meta({
  description:
    'running: its components can be used. switched_off: it had too many faults, or somebody switched it off. failed: it could not be loaded.',
});
export type PluginState = z.infer<typeof pluginStateSchema>;

export const pluginSchema = z
  .object({
    unique_id: z.string(),
    name: z.string(),
    version: z.string(),
    author: z.string(),
    url: z.string(),
    description: z.string(),
    required_version: z.string().describe('The version of the plugin API it is made for.'),
    required_capabilities: z.array(z.string()),
    state: pluginStateSchema,
    reason: z.string().nullable().describe('Why it failed or is switched off, or its last fault.'),
    faults: z.int().min(0).describe('On this node, since its start or since the plugin was enabled.'),
    path: z.string(),
    sha256: z
      .string()
      .nullable()
      .describe('The hash of its files, for plugins_allowed. Null if they could not be read.'),
    components: z.array(
      z.object({
        kind: z.string(),
        type: z.string().describe('The name of the type in the API.'),
        name: z.string(),
      }),
    ),
  })
  .meta({ id: 'Plugin' });
export type PluginView = z.infer<typeof pluginSchema>;

/** `GET /system/plugins` */
export const pluginListSchema = z
  .object({ total: z.int().min(0), plugins: z.array(pluginSchema) })
  .meta({ id: 'PluginList' });

/** The name of a package, percent-encoded if it has a scope. */
export const pluginNameParameter = z.string().min(1).max(214);
