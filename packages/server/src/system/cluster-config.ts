/**
 * Settings of the cluster under the names of Graylog's classes, as its clients read and set them. Each class is either
 * another way to a setting that exists here, or stored as it was sent. What would have no effect is refused.
 */
import type { ClusterConfig, ClusterConfigList } from '@millrace/contract';
import {
  type AuditLog,
  type Caller,
  ForbiddenError,
  InvalidError,
  NotFoundError,
  type Principal,
  recordAction,
} from '#core/index.ts';
import type { Repositories } from '#metadata/index.ts';

/** One class. */
export interface ClusterConfigClass {
  readonly className: string;
  /** Beyond those of all classes. */
  readonly permissions?: { readonly read: string; readonly write: string };
  /** Undefined when nothing was set. */
  read(): Promise<ClusterConfig | undefined>;
  /** Throws `InvalidError` for what has no effect here. Answers what is set now. */
  write(caller: Caller, config: ClusterConfig): Promise<ClusterConfig>;
  /** Back to the defaults. */
  reset(caller: Caller): Promise<void>;
}

export interface ClusterConfigs {
  list(principal: Pick<Principal, 'can'>): ClusterConfigList;
  /** These throw `NotFoundError` for an unknown class. */
  get(principal: Pick<Principal, 'can'>, className: string): Promise<ClusterConfig | undefined>;
  set(caller: Caller, className: string, config: ClusterConfig): Promise<ClusterConfig>;
  reset(caller: Caller, className: string): Promise<void>;
}

function forbidden(needs: string): ForbiddenError {
  return new ForbiddenError(`Not allowed: ${needs}`, { needs });
}

export function createClusterConfigs(classes: readonly ClusterConfigClass[]): ClusterConfigs {
  function find(className: string): ClusterConfigClass {
    const found = classes.find((each) => each.className === className);
    if (found !== undefined) return found;
    const known = classes.map((each) => each.className).join(', ');
    throw new NotFoundError(`Couldn't find configuration class '${className}'. There are ${known}.`);
  }

  const mayRead = ({ can }: Pick<Principal, 'can'>, { permissions }: ClusterConfigClass): boolean =>
    permissions === undefined || can(permissions.read);

  function findForChange({ principal }: Caller, className: string): ClusterConfigClass {
    const found = find(className);
    if (found.permissions !== undefined && !principal.can(found.permissions.write)) {
      throw forbidden(found.permissions.write);
    }
    return found;
  }

  return {
    list(principal) {
      const names = classes.filter((each) => mayRead(principal, each)).map((each) => each.className);
      return { total: names.length, classes: names };
    },
    async get(principal, className) {
      const found = find(className);
      if (!mayRead(principal, found)) throw forbidden(found.permissions?.read ?? '');
      return found.read();
    },
    set: async (caller, className, config) => findForChange(caller, className).write(caller, config),
    reset: async (caller, className) => findForChange(caller, className).reset(caller),
  };
}

export interface StoredClassDefinition {
  readonly className: string;
  /** What clients read before anybody has set anything. */
  readonly defaults: ClusterConfig;
  /** Properties that are always as the defaults say, each with the way to get what other values would do. */
  readonly fixed: Readonly<Record<string, string>>;
}

const PREFIX = 'cluster_config:';
/** As JSON. */
const MAX_LENGTH = 100_000;

/** A class that is stored for clients and changes nothing here. */
export function createStoredClass(
  deps: { readonly store: Pick<Repositories, 'clusterSettings'>; readonly audit: AuditLog },
  { className, defaults, fixed }: StoredClassDefinition,
): ClusterConfigClass {
  const { clusterSettings } = deps.store;
  const key = `${PREFIX}${className}`;

  async function read(): Promise<ClusterConfig> {
    const stored = await clusterSettings.find(key);
    return typeof stored === 'object' && stored !== null ? { ...stored } : defaults;
  }

  async function change(caller: Caller, store: () => Promise<unknown>): Promise<ClusterConfig> {
    const before = await read();
    await store();
    const after = await read();
    await recordAction(deps.audit, caller, 'cluster_config.update', { objectId: className, before, after });
    return after;
  }

  return {
    className,
    read,
    async write(caller, config) {
      for (const [name, remedy] of Object.entries(fixed)) {
        const sent = config[name] ?? defaults[name];
        if (sent === defaults[name]) continue;
        const value = JSON.stringify(sent).slice(0, 100);
        throw new InvalidError(`${name} cannot be ${value} here: ${remedy}.`, { path: name });
      }
      if (JSON.stringify(config).length > MAX_LENGTH) {
        throw new InvalidError(`The configuration is longer than ${MAX_LENGTH} characters.`);
      }
      return change(caller, () => clusterSettings.set(key, config));
    },
    async reset(caller) {
      await change(caller, () => clusterSettings.remove(key));
    },
  };
}
