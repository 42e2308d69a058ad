/** The plugins of this node on the main thread: finds and loads them, counts their faults, switches them off and on. */
import type { PluginView } from '@millrace/contract';
import {
  type AuditLog,
  type Caller,
  createFaultLedger,
  errorMessage,
  monotonicClock,
  NotFoundError,
  recordAction,
  type Startable,
  StateConflictError,
} from '#core/index.ts';
import type { Metadata } from '#metadata/index.ts';
import type { Notifications, SystemMessages } from '#system/service.ts';
import type { Logger, Metrics } from '#telemetry/index.ts';
import { createCallWatch } from './call-watch.ts';
import { describeError, type PluginFault } from './fault.ts';
import { CALL_FIELDS, createPluginGuards, type PluginGuards, type PluginMemory } from './guard.ts';
import { type FoundPlugin, findPlugins, type PluginPlaces, type UnusablePlugin } from './loading/discover.ts';
import { importPlugin, type LoadedComponent, registerPlugin } from './loading/load.ts';
import { MAIN_THREAD_SEAMS } from './loading/main-thread-seams.ts';
import { installModuleHooks } from './loading/module-hooks.ts';
import { tryPlugins } from './loading/trial.ts';
import { createPluginOperators, type PluginOperators } from './management/operators.ts';
import { type KnownPlugin, pluginView, unusableView } from './management/plugin-view.ts';
import { pluginOfError } from './stray-errors.ts';
import type { PluginAssignment } from './thread-plugins.ts';

export type { AllowedPlugin } from './loading/integrity.ts';

/** `start` loads the plugins: before anything is created from the components they add. It never rejects because of one. */
export interface PluginsService extends Startable {
  /** What workers need. */
  assignment(): PluginAssignment;
  list(): PluginView[];
  /** Rejects with `NotFoundError`, and with `StateConflictError` for a plugin that could not be loaded. */
  enable(caller: Caller, name: string): Promise<void>;
  disable(caller: Caller, name: string): Promise<void>;
  /** A worker has counted a fault. Returns at once and never throws. */
  faulted(fault: PluginFault): void;
  /** True: a plugin threw this error on the main thread, and that is counted. */
  contain(error: unknown): boolean;
  /** Keeps the workers informed from now on, and ends one that does not return from a call into a plugin. */
  inform(workers: PluginWorkers): Startable;
}

export interface PluginWorkers {
  tell(message: { readonly kind: 'plugins'; readonly off: readonly string[] }): void;
  /** The thread is ended and started again. */
  restart(worker: number, reason: string): void;
}

export interface PluginsServiceDeps {
  readonly metadata: Metadata;
  readonly notifications: Notifications;
  readonly systemMessages: SystemMessages;
  readonly audit: AuditLog;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

export interface PluginsServiceSettings extends PluginPlaces {
  readonly nodeId: string;
  readonly workers: number;
  /** `plugin_call_timeout` */
  readonly limitMs: number;
  /** `plugin_max_faults` */
  readonly maxFaults: number;
}

export function createPluginsService(
  deps: PluginsServiceDeps,
  settings: PluginsServiceSettings,
): PluginsService {
  const logger = deps.logger.child({ component: 'plugins' });
  return new NodePlugins({ ...deps, logger }, settings);
}

class NodePlugins implements PluginsService {
  readonly name = 'plugins';
  readonly #deps: PluginsServiceDeps;
  readonly #settings: PluginsServiceSettings;
  readonly #operators: PluginOperators;
  readonly #ledger = createFaultLedger();
  readonly #memory: PluginMemory;
  readonly #faultCount: { increment(): void };
  #plugins: readonly KnownPlugin[] = [];
  #unusable: readonly UnusablePlugin[] = [];
  #guards: PluginGuards | undefined;
  /** Why plugins are switched off, by name. */
  readonly #off = new Map<string, string>();
  readonly #lastFaults = new Map<string, string>();
  #tellWorkers: PluginWorkers['tell'] = () => {};
  #telling: Promise<void> = Promise.resolve();

  constructor(deps: PluginsServiceDeps, settings: PluginsServiceSettings) {
    this.#deps = deps;
    this.#settings = settings;
    this.#operators = createPluginOperators(deps, settings);
    const bytes = settings.workers * CALL_FIELDS.size * Int32Array.BYTES_PER_ELEMENT;
    this.#memory = { faults: this.#ledger.memory, calls: new SharedArrayBuffer(bytes) };
    this.#faultCount = deps.metrics.counter('millrace.plugins.faults', {
      help: 'Errors of plugins, and calls into them that took too long',
    });
  }

  async start(): Promise<void> {
    const found = await findPlugins(this.#settings);
    this.#unusable = found.unusable;
    for (const { name } of found.usable) this.#ledger.slotOf(name);
    await this.#restoreOff(found.usable);
    this.#guards = createPluginGuards(this.faulted, this.#guardSettings(found.usable));
    await this.#operators.forgetFailures();
    for (const { name, reason } of found.unusable) await this.#cannotLoad(name, reason);
    if (found.usable.length > 0) installModuleHooks(found.usable.map(({ root }) => root));
    const failures = await tryPlugins(found.usable);
    const plugins: KnownPlugin[] = [];
    for (const plugin of found.usable) {
      plugins.push(await this.#load(plugin, this.#guards, failures.get(plugin.name)));
    }
    this.#plugins = plugins;
  }

  async stop(): Promise<void> {
    await this.#telling;
  }

  assignment(): PluginAssignment {
    const loaded = this.#plugins.filter(({ failure }) => failure === undefined);
    const plugins = loaded.map(({ name, root, entry, sha256 }) => ({ name, root, entry, sha256 }));
    return { ...this.#guardSettings(loaded), plugins };
  }

  list(): PluginView[] {
    const known = this.#plugins.map((plugin) => pluginView(plugin, this.#standingOf(plugin)));
    return [...known, ...this.#unusable.map(unusableView)];
  }

  async enable(caller: Caller, name: string): Promise<void> {
    this.#require(name);
    await this.#inTurn(async () => {
      await this.#operators.forgetOff(name);
      this.#off.delete(name);
      this.#lastFaults.delete(name);
      this.#ledger.set(name, 0);
      this.#tellWorkers({ kind: 'plugins', off: [...this.#off.keys()] });
    });
    this.#deps.logger.info({ plugin: name }, 'a plugin was enabled');
    await recordAction(this.#deps.audit, caller, 'plugin.enable', { objectId: name });
  }

  async disable(caller: Caller, name: string): Promise<void> {
    this.#require(name);
    await this.#inTurn(() => this.#switchOff(name, `${caller.principal.username} switched it off`));
    await recordAction(this.#deps.audit, caller, 'plugin.disable', { objectId: name });
  }

  readonly faulted = ({ plugin, kind, message, count }: PluginFault): void => {
    this.#faultCount.increment();
    this.#lastFaults.set(plugin, message);
    this.#deps.logger.warn({ plugin, kind, faults: count }, `a fault of the plugin ${plugin}: ${message}`);
    const telling = this.#inTurn(async () => {
      const faults = this.#ledger.countOf(plugin);
      // Fewer: it was enabled since, and that fault is forgiven.
      if (this.#off.has(plugin) || faults < count) return;
      const { maxFaults } = this.#settings;
      if (faults <= maxFaults) return this.#operators.tellFailed(plugin, message, faults);
      const reason = `It had ${faults} faults, and more than ${maxFaults} switch a plugin off. The last one: ${message}`;
      await this.#switchOff(plugin, reason);
      await this.#operators.tellOff(plugin, reason, faults);
    });
    telling.catch((error: unknown) => {
      this.#deps.logger.error(
        { plugin, reason: errorMessage(error) },
        'a fault of a plugin could not be told',
      );
    });
  };

  contain(error: unknown): boolean {
    const plugin = pluginOfError(error, this.#plugins);
    if (plugin === undefined) return false;
    this.#guards?.record(plugin, 'stray', `an error that nobody caught: ${describeError(error)}`);
    return true;
  }

  inform(workers: PluginWorkers): Startable {
    this.#tellWorkers = workers.tell;
    workers.tell({ kind: 'plugins', off: [...this.#off.keys()] });
    const { limitMs } = this.#settings;
    const watch = createCallWatch(
      {
        monotonic: monotonicClock,
        logger: this.#deps.logger,
        blocked: (worker, slot) => {
          const plugin = this.#plugins.find(({ name }) => this.#ledger.slotOf(name) === slot);
          if (plugin === undefined) return;
          const message = `a call in worker ${worker} did not return within ${limitMs} ms; the worker is started again`;
          this.#guards?.record(plugin.name, 'blocked', message);
          workers.restart(worker, `the plugin ${plugin.name} did not return from a call`);
        },
      },
      { memory: this.#memory, workers: this.#settings.workers, limitMs },
    );
    const hasPlugins = this.#plugins.length > 0;
    return {
      name: 'watch of plugin calls',
      start: async () => void (hasPlugins && watch.start()),
      stop: () => watch.stop(),
    };
  }

  #guardSettings(plugins: readonly { readonly name: string }[]) {
    return {
      memory: this.#memory,
      slots: new Map(plugins.map(({ name }) => [name, this.#ledger.slotOf(name)])),
      worker: undefined,
      limitMs: this.#settings.limitMs,
      maxFaults: this.#settings.maxFaults,
    };
  }

  async #restoreOff(plugins: readonly FoundPlugin[]): Promise<void> {
    const stored = await this.#operators.switchedOff();
    for (const { name } of plugins) {
      const reason = stored.get(name);
      if (reason === undefined) continue;
      this.#off.set(name, reason);
      this.#ledger.set(name, this.#settings.maxFaults + 1);
      this.#deps.logger.warn({ plugin: name, reason }, 'a plugin is switched off');
    }
  }

  async #load(plugin: FoundPlugin, guards: PluginGuards, trial: string | undefined): Promise<KnownPlugin> {
    let components: readonly LoadedComponent[] = [];
    let failure = trial;
    if (failure === undefined) {
      try {
        const imported = await importPlugin(plugin);
        components = registerPlugin(imported, MAIN_THREAD_SEAMS, guards.of(plugin.name));
      } catch (error) {
        failure = describeError(error);
      }
    }
    if (failure === undefined) {
      const types = components.map(({ kind, wireType }) => `${kind} ${wireType}`);
      this.#deps.logger.info({ plugin: plugin.name, version: plugin.version, types }, 'loaded a plugin');
    } else {
      await this.#cannotLoad(plugin.name, failure);
    }
    return { ...plugin, components, failure };
  }

  async #cannotLoad(name: string, reason: string): Promise<void> {
    this.#deps.logger.error({ plugin: name, reason }, `cannot load the plugin ${name}: ${reason}`);
    await this.#operators.tellFailed(name, reason, 0);
  }

  #standingOf({ name, failure }: KnownPlugin) {
    const faults = this.#ledger.countOf(name);
    if (failure !== undefined) return { state: 'failed', reason: failure, faults: 0 } as const;
    const off = this.#off.get(name);
    if (off !== undefined) return { state: 'switched_off', reason: off, faults } as const;
    return { state: 'running', reason: this.#lastFaults.get(name) ?? null, faults } as const;
  }

  #require(name: string): void {
    const plugin = this.#plugins.find((each) => each.name === name);
    if (plugin === undefined)
      throw new NotFoundError(`There is no plugin ${JSON.stringify(name.slice(0, 100))}.`);
    if (plugin.failure === undefined) return;
    throw new StateConflictError(
      `The plugin ${name} could not be loaded: ${plugin.failure}. Correct that and restart the node.`,
    );
  }

  async #switchOff(name: string, reason: string): Promise<void> {
    this.#off.set(name, reason);
    this.#ledger.set(name, Math.max(this.#ledger.countOf(name), this.#settings.maxFaults + 1));
    this.#guards?.switchedOff([name]);
    this.#tellWorkers({ kind: 'plugins', off: [...this.#off.keys()] });
    this.#deps.logger.error({ plugin: name, reason }, `the plugin ${name} was switched off: ${reason}`);
    await this.#operators.rememberOff(name, reason);
  }

  /** Changes happen one after the other, so that what operators read is in the order in which it happened. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#telling.then(work);
    this.#telling = done.catch(() => {});
    return done;
  }
}
