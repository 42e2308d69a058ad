/**
 * Templates of index sets: what people would enter again and again. Graylog's built-in ones are here too, except those
 * with a warm tier. They are few, so they are read from the database whenever somebody asks.
 */
import {
  type IndexSetTemplateConfig,
  type IndexSetTemplatePage,
  type IndexSetTemplatePageQuery,
  type IndexSetTemplateRequest,
  type IndexSetTemplateView,
  indexSetChangesSchema,
  indexSetTemplateRequestSchema,
  type NewIndexSetRequest,
} from '@millrace/contract';
import {
  type AuditLog,
  type Caller,
  type Clock,
  InvalidError,
  NotFoundError,
  newEntityId,
  pageOf,
  recordAction,
} from '#core/index.ts';
import type { Repositories } from '#metadata/index.ts';
import { namesStrategy } from './data-tiering.ts';
import { propertiesOf } from './view.ts';

export interface IndexSetTemplates {
  page(query: IndexSetTemplatePageQuery): Promise<IndexSetTemplatePage>;
  builtIn(): Promise<IndexSetTemplateView[]>;
  /** Throws `NotFoundError`. */
  get(id: string): Promise<IndexSetTemplateView>;
  /** What the default template says, or what index sets have without one. */
  defaultConfig(): Promise<IndexSetTemplateConfig>;
  /** The id of the default template; undefined without one. */
  defaultId(): Promise<string | undefined>;
  create(caller: Caller, request: IndexSetTemplateRequest): Promise<IndexSetTemplateView>;
  /** Changes nothing about index sets that were made with it. Throws `InvalidError` for built-in ones. */
  change(caller: Caller, id: string, request: IndexSetTemplateRequest): Promise<void>;
  /** Throws `InvalidError` for built-in ones and the default. */
  remove(caller: Caller, id: string): Promise<void>;
  /** Throws `InvalidError` for built-in ones, as in Graylog. */
  setDefault(caller: Caller, id: string): Promise<void>;
  /** Without a default, new index sets have the defaults of the program. */
  clearDefault(caller: Caller): Promise<void>;
  /** The request with how long messages are kept from its template, if it says nothing about that itself. */
  apply(request: NewIndexSetRequest): Promise<NewIndexSetRequest>;
}

export interface IndexSetTemplateDeps {
  readonly store: Pick<Repositories, 'clusterSettings'>;
  readonly audit: AuditLog;
  readonly clock: Clock;
}

interface Template {
  readonly id: string;
  readonly isBuiltIn: boolean;
  readonly content: IndexSetTemplateRequest;
}

const PREFIX = 'index_set_template:';
const DEFAULT_KEY = 'index_set_default_template';
const MAX_TEMPLATES = 1000;

/** What index sets have that say nothing. */
const PLAIN_CONFIG: IndexSetTemplateConfig = {
  index_analyzer: 'standard',
  shards: 1,
  replicas: 0,
  index_optimization_max_num_segments: 1,
  index_optimization_disabled: false,
  field_type_refresh_interval: 5000,
};

const BUILT_IN: readonly Template[] = [
  { days: 7, longest: 9, use: 'little need for older messages' },
  { days: 14, longest: 18, use: 'some need for older messages' },
  { days: 30, longest: 40, use: 'frequent searches in older messages' },
].map(({ days, longest, use }) => ({
  id: `00000000000000000000${String(days).padStart(4, '0')}`,
  isBuiltIn: true,
  content: {
    title: `${days} Days Hot`,
    description: `For ${use}: they are kept for at least ${days} days.`,
    index_set_config: {
      ...PLAIN_CONFIG,
      data_tiering: {
        type: 'hot_only',
        index_lifetime_min: `P${days}D`,
        index_lifetime_max: `P${longest}D`,
      },
      use_legacy_rotation: false,
    },
  },
}));

export function createIndexSetTemplates(deps: IndexSetTemplateDeps): IndexSetTemplates {
  const stored = createTemplateStore(deps.store);
  const reads = createTemplateReads(stored);
  return { ...reads, ...createTemplateChanges(deps, stored) };
}

type TemplateStore = ReturnType<typeof createTemplateStore>;

function createTemplateStore({ clusterSettings: settings }: IndexSetTemplateDeps['store']) {
  async function list(): Promise<Template[]> {
    const found = await settings.listByPrefix(PREFIX);
    return [...found].flatMap(([key, value]) => {
      const { data } = indexSetTemplateRequestSchema.safeParse(value);
      return data === undefined ? [] : { id: key.slice(PREFIX.length), isBuiltIn: false, content: data };
    });
  }

  async function defaultId(): Promise<string | undefined> {
    const id = await settings.find(DEFAULT_KEY);
    return typeof id === 'string' ? id : undefined;
  }

  return {
    list,
    defaultId,
    async find(id: string): Promise<Template> {
      const found = [...BUILT_IN, ...(await list())].find((each) => each.id === id);
      if (found === undefined) throw new NotFoundError(`No template with id ${id}`);
      return found;
    },
    async defaultConfig(): Promise<IndexSetTemplateConfig | undefined> {
      const id = await defaultId();
      return (await list()).find((each) => each.id === id)?.content.index_set_config;
    },
  };
}

function createTemplateReads(
  store: TemplateStore,
): Pick<IndexSetTemplates, 'page' | 'builtIn' | 'get' | 'defaultConfig' | 'defaultId' | 'apply'> {
  return {
    async page(query) {
      const own = await store.defaultId();
      const texts = {
        title: ({ content }: Template) => content.title,
        description: ({ content }: Template) => content.description ?? '',
      };
      const { elements, numbers } = pageOf([...BUILT_IN, ...(await store.list())], query, texts, {
        id: ({ id }) => id,
      });
      return {
        query: query.query,
        sort: query.sort,
        order: query.order,
        total: numbers.total,
        pagination: numbers,
        elements: elements.map((each) => viewOf(each, own)),
      };
    },
    builtIn: async () => BUILT_IN.map((each) => viewOf(each, undefined)),
    get: async (id) => viewOf(await store.find(id), await store.defaultId()),
    defaultConfig: async () => (await store.defaultConfig()) ?? PLAIN_CONFIG,
    defaultId: store.defaultId,
    async apply(request) {
      const { index_set_template_id: id, ...own } = request;
      if (namesStrategy(own) || (own.data_tiering ?? null) !== null) return own;
      const isNamed = id !== undefined && id !== null;
      const config = isNamed ? await namedConfig(store, id) : await store.defaultConfig();
      if (config === undefined) return own;
      const { data_tiering, use_legacy_rotation } = config;
      const { rotation_strategy_class, rotation_strategy } = config;
      const { retention_strategy_class, retention_strategy } = config;
      return {
        ...own,
        ...{ rotation_strategy_class, rotation_strategy, retention_strategy_class, retention_strategy },
        data_tiering,
        use_legacy_rotation: own.use_legacy_rotation ?? use_legacy_rotation,
      };
    },
  };
}

async function namedConfig(store: TemplateStore, id: string): Promise<IndexSetTemplateConfig> {
  const found = [...BUILT_IN, ...(await store.list())].find((each) => each.id === id);
  if (found !== undefined) return found.content.index_set_config;
  const path = 'index_set_template_id';
  throw new InvalidError(`${path}: there is no template ${JSON.stringify(id)}.`, { path });
}

function createTemplateChanges(
  { store: { clusterSettings: settings }, audit, clock }: IndexSetTemplateDeps,
  store: TemplateStore,
): Pick<IndexSetTemplates, 'create' | 'change' | 'remove' | 'setDefault' | 'clearDefault'> {
  function record(caller: Caller, verb: string, id: string, before?: unknown, after?: unknown) {
    return recordAction(audit, caller, `index_set_template.${verb}`, { objectId: id, before, after });
  }

  async function findOwn(id: string, what: string): Promise<Template> {
    const template = await store.find(id);
    if (!template.isBuiltIn) return template;
    throw new InvalidError(
      `The template "${template.content.title}" is built in and cannot ${what}; create one like it.`,
    );
  }

  async function write(caller: Caller, id: string, request: IndexSetTemplateRequest, before?: Template) {
    const content = checkedContent(request);
    await settings.set(`${PREFIX}${id}`, content);
    await record(caller, before === undefined ? 'create' : 'update', id, before?.content, content);
    return viewOf({ id, isBuiltIn: false, content }, await store.defaultId());
  }

  return {
    async create(caller, request) {
      if ((await store.list()).length >= MAX_TEMPLATES) {
        throw new InvalidError(`There are ${MAX_TEMPLATES} templates already; delete some first.`);
      }
      return write(caller, newEntityId(clock.now()), request);
    },
    async change(caller, id, request) {
      await write(caller, id, request, await findOwn(id, 'be changed'));
    },
    async remove(caller, id) {
      const { content } = await findOwn(id, 'be deleted');
      if ((await store.defaultId()) === id) {
        throw new InvalidError(
          `The template "${content.title}" is the default and cannot be deleted; make another one the default first.`,
        );
      }
      await settings.remove(`${PREFIX}${id}`);
      await record(caller, 'delete', id, content);
    },
    async setDefault(caller, id) {
      const { content } = await findOwn(id, 'be the default');
      await settings.set(DEFAULT_KEY, id);
      await record(caller, 'set_default', id, undefined, { title: content.title });
    },
    async clearDefault(caller) {
      const id = await store.defaultId();
      if (id === undefined) return;
      await settings.remove(DEFAULT_KEY);
      await record(caller, 'clear_default', id);
    },
  };
}

/** Throws `InvalidError` unless an index set could be made of it. What was sent stays as it is. */
function checkedContent({ title, description, index_set_config }: IndexSetTemplateRequest) {
  propertiesOf(indexSetChangesSchema.parse({ ...index_set_config, title, revision: undefined }));
  return { title, description: description ?? null, index_set_config };
}

function viewOf({ id, isBuiltIn, content }: Template, defaultId: string | undefined): IndexSetTemplateView {
  return {
    id,
    title: content.title,
    description: content.description ?? null,
    built_in: isBuiltIn,
    default: id === defaultId,
    enabled: true,
    disabled_reason: '',
    index_set_config: content.index_set_config,
  };
}
