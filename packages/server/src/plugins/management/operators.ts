import { errorMessage } from '#core/index.ts';
import type { Metadata } from '#metadata/index.ts';
import type { Notifications, SystemMessages } from '#system/service.ts';
import type { Logger } from '#telemetry/index.ts';

export interface OperatorDeps {
  readonly metadata: Metadata;
  readonly notifications: Notifications;
  readonly systemMessages: Pick<SystemMessages, 'publish'>;
  readonly logger: Logger;
}

/** Tells operators about plugins, and remembers which ones are switched off on this node. */
export interface PluginOperators {
  /** Why plugins are switched off, by name. */
  switchedOff(): Promise<ReadonlyMap<string, string>>;
  /** Never rejects, as what tells operators: the plugin is off in any case. */
  rememberOff(plugin: string, reason: string): Promise<void>;
  /** Rejects if it cannot be stored: after a restart the plugin would be off again. */
  forgetOff(plugin: string): Promise<void>;
  tellFailed(plugin: string, reason: string, faults: number): Promise<void>;
  tellOff(plugin: string, reason: string, faults: number): Promise<void>;
  /** The node starts: what it said about failures before is out of date. */
  forgetFailures(): Promise<void>;
}

const PREFIX = 'plugins.off.';

export function createPluginOperators(deps: OperatorDeps, { nodeId }: { nodeId: string }): PluginOperators {
  const { notifications, systemMessages, logger } = deps;
  const { clusterSettings } = deps.metadata.repositories;
  const keyOf = (plugin: string): string => `${nodeId}/${plugin}`;
  const own = `${PREFIX}${nodeId}/`;

  async function quietly(what: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      logger.warn({ reason: errorMessage(error) }, `${what} could not be stored`);
    }
  }

  return {
    async switchedOff() {
      const stored = await clusterSettings.listByPrefix(own);
      return new Map([...stored].map(([key, reason]) => [key.slice(own.length), String(reason)]));
    },
    rememberOff: (plugin, reason) =>
      quietly('that a plugin is switched off', () => clusterSettings.set(`${own}${plugin}`, reason)),
    async forgetOff(plugin) {
      await clusterSettings.remove(`${own}${plugin}`);
      await notifications.fix('plugin_switched_off', keyOf(plugin));
      await notifications.fix('plugin_failed', keyOf(plugin));
    },
    async tellFailed(plugin, reason, faults) {
      const details = { plugin, reason, faults, node_id: nodeId };
      await notifications.publish({ type: 'plugin_failed', key: keyOf(plugin), details });
    },
    async tellOff(plugin, reason, faults) {
      const details = { plugin, reason, faults, node_id: nodeId };
      await notifications.fix('plugin_failed', keyOf(plugin));
      await notifications.publish({
        type: 'plugin_switched_off',
        key: keyOf(plugin),
        severity: 'urgent',
        details,
      });
      await systemMessages.publish('plugins', `The plugin ${plugin} was switched off: ${reason}`);
    },
    forgetFailures: () =>
      quietly('that former failures of plugins are out of date', async () => {
        for (const { type, key } of await notifications.list()) {
          if (type === 'plugin_failed' && key?.startsWith(`${nodeId}/`)) await notifications.fix(type, key);
        }
      }),
  };
}
