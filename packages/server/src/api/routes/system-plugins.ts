import { pluginListSchema, pluginNameParameter } from '@millrace/contract';
import { z } from 'zod';
import type { PluginsService } from '#plugins/service.ts';
import { defineRoute, type Route } from '../route.ts';

const tag = 'Plugins';

export interface PluginRouteDeps {
  readonly nodeId: string;
  readonly plugins: PluginsService;
}

/** The plugins of this node. */
export function pluginRoutes({ nodeId, plugins }: PluginRouteDeps): Route[] {
  const change = {
    method: 'PUT',
    tag,
    permission: 'plugins:edit',
    params: z.object({ name: pluginNameParameter }),
    instance: ({ name }: { readonly name: string }) => name,
    responses: { 204: null },
    errors: ['not_found', 'conflict'],
  } as const;
  return [
    defineRoute({
      method: 'GET',
      path: '/system/plugins',
      tag,
      summary: 'List the plugins of this node',
      description:
        'Those that are loaded, and those that could not be, each with its state, its components and the hash of its files.',
      permission: 'system:read',
      instance: () => nodeId,
      responses: { 200: pluginListSchema },
      errors: [],
      handler: () => {
        const all = plugins.list();
        return { total: all.length, plugins: all };
      },
    }),
    defineRoute({
      ...change,
      path: '/system/plugins/:name/enable',
      summary: 'Enable a plugin on this node',
      description: 'For a plugin that was switched off. Its faults are counted from zero again.',
      handler: (request) => plugins.enable(request, request.params.name),
    }),
    defineRoute({
      ...change,
      path: '/system/plugins/:name/disable',
      summary: 'Switch a plugin off on this node',
      description:
        'Its components no longer run, also after a restart, until it is enabled. Messages wait in the queues of its outputs; those that arrive meanwhile and that the plugin itself would encode become processing failures once it is enabled.',
      handler: (request) => plugins.disable(request, request.params.name),
    }),
  ];
}
