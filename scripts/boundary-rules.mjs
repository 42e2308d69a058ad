/**
 * Which folder may import which. The order of the server's folders is the path of a message; a folder that is not
 * listed for another may not be imported by it. The longest matching folder wins, so `storage/embedded` has a line of
 * its own. There is no list of exceptions.
 */
export const SERVER_FOLDERS = {
  core: [],
  config: ['core'],
  telemetry: ['core'],
  'codecs/framing': ['core'],
  'codecs/format': ['core', 'codecs/framing'],
  codecs: ['core', 'codecs/framing', 'codecs/format'],
  inputs: ['core', 'telemetry', 'codecs'],
  journal: ['core', 'telemetry'],
  lookup: ['core', 'telemetry'],
  streams: ['core', 'telemetry'],
  'processing/framework': ['core', 'telemetry'],
  'processing/rules': ['core'],
  'processing/pipelines': ['core', 'telemetry', 'streams', 'processing/framework', 'processing/rules'],
  'processing/extractors': [
    'core',
    'telemetry',
    'codecs',
    'streams',
    'processing/framework',
    'processing/rules',
  ],
  'processing/steps': ['core', 'telemetry', 'codecs', 'streams', 'processing/framework', 'processing/rules'],
  'processing/simulation': [
    'core',
    'telemetry',
    'streams',
    'processing/framework',
    'processing/rules',
    'processing/pipelines',
    'processing/steps',
  ],
  processing: [
    'core',
    'telemetry',
    'codecs',
    'streams',
    'processing/framework',
    'processing/rules',
    'processing/pipelines',
    'processing/extractors',
    'processing/steps',
    'processing/simulation',
  ],
  'storage/clickhouse': ['core', 'telemetry'],
  'storage/embedded': ['core', 'telemetry', 'config', 'storage/clickhouse'],
  storage: ['core', 'telemetry', 'storage/clickhouse', 'storage/embedded'],
  outputs: ['core', 'telemetry', 'codecs', 'journal'],
  search: ['core', 'telemetry', 'storage'],
  metadata: ['core', 'telemetry'],
  auth: ['core', 'metadata', 'telemetry'],
  cluster: ['core', 'telemetry', 'metadata'],
  system: ['core', 'telemetry', 'metadata', 'cluster'],
  'alerts/notifications': ['core', 'telemetry', 'metadata', 'system'],
  alerts: ['core', 'telemetry', 'search', 'metadata', 'system', 'alerts/notifications'],
  plugins: [
    'core',
    'telemetry',
    'codecs',
    'inputs',
    'outputs',
    'processing/rules',
    'search',
    'storage',
    'alerts',
    'alerts/notifications',
    'metadata',
    'system',
    'streams',
  ],
  workers: [
    'core',
    'telemetry',
    'codecs',
    'inputs',
    'journal',
    'lookup',
    'streams',
    'processing',
    'processing/simulation',
    'storage',
    'outputs',
    'plugins',
    'search',
  ],
  api: ['core', 'auth', 'telemetry'],
  node: [
    'core',
    'config',
    'telemetry',
    'codecs',
    'inputs',
    'journal',
    'lookup',
    'streams',
    'processing',
    'storage',
    'outputs',
    'plugins',
    'search',
    'alerts',
    'alerts/notifications',
    'metadata',
    'auth',
    'cluster',
    'system',
    'workers',
    'api',
  ],
};

/**
 * Folders that everything outside of them, tests and benchmarks too, enters through `index.ts` alone. What a codec looks
 * like inside must be free to change.
 */
export const SEALED_FOLDERS = ['codecs'];

/** The only file at the root of the server: the process around a node. */
export const ENTRY_POINT = 'main.ts';
export const ENTRY_POINT_IMPORTS = ['node', 'config', 'core', 'telemetry'];

/**
 * The message path never touches these. In the folders of the message path only `service.ts`, which runs in the main
 * thread, may import them.
 */
export const MAIN_THREAD_FOLDERS = ['metadata', 'cluster', 'system'];
export const MESSAGE_PATH = [
  'inputs',
  'lookup',
  'streams',
  'processing',
  'storage',
  'outputs',
  'search',
  'workers',
];

/** Code of the message path's folders that runs in the main thread: it may import types of `MAIN_THREAD_FOLDERS`. */
export const MAIN_THREAD_CODE = [
  'inputs/management/',
  'lookup/management/',
  'outputs/management/',
  'streams/management/',
  'processing/management/',
  'storage/index-sets/',
  'search/saved/',
  'search/views/',
  'workers/incidents.ts',
];

/** The API may import the `service.ts` of any domain folder, and nothing else of it. */
export const SERVICE_CONSUMERS = ['api'];

export const WEB_FOLDERS = {
  lib: [],
  components: ['lib'],
  features: ['components', 'lib'],
  app: ['features', 'components', 'lib'],
};

export const LIMITS = { fileLines: 500, functionLines: 80, componentLines: 150 };

/**
 * What only some folders may import. There is one way to describe a configuration (`field` and `types` of core) and one
 * to describe the API (Zod); a schema library anywhere else would be another one.
 */
export const RESERVED_PACKAGES = [
  {
    packages: ['zod'],
    allowed: ['api/', 'cluster/'],
    why: 'Zod describes the API; describe a configuration with field() and types of core/',
  },
  {
    packages: [
      '@hapi/joi',
      '@sinclair/typebox',
      'ajv',
      'arktype',
      'class-validator',
      'fluent-json-schema',
      'io-ts',
      'joi',
      'json-schema-to-ts',
      'runtypes',
      'superstruct',
      'typebox',
      'valibot',
      'yup',
    ],
    allowed: [],
    why: 'one schema system is enough: field() and types of core/ for configurations, Zod for the API',
  },
];

/**
 * Tests that poll do it through one helper, which has a deadline and shows the last value. Those of the web interface
 * may not import it and use the test runner's own.
 */
export const POLLING_HELPER = 'packages/server/src/testing/eventually.ts';
export const OTHER_POLLERS = ['vi.waitFor', 'vi.waitUntil', 'expect.poll'];

/** What only one place may touch, found as member expressions such as `process.env`. */
export const RESERVED = [
  {
    expression: 'process.env',
    allowed: ['config/', 'testing/', 'main.ts'],
    why: 'only config/ reads the environment',
  },
  { expression: 'process.exit', allowed: ['main.ts'], why: 'only main.ts ends the process' },
  { expression: 'Date.now', allowed: ['core/clock.ts', 'testing/'], why: 'take a Clock' },
];
