import { type Api, type InputStateRouteDeps, inputRoutes, inputStateRoutes, type Route } from '#api/index.ts';
import type { Cluster } from '#cluster/service.ts';
import { type AuditEntry, createSecretCipher, Secret, systemClock } from '#core/index.ts';
import {
  createInputsService,
  type InputsService,
  type InputsServiceDeps,
  type InputWorkers,
} from '#inputs/service.ts';
import type { Metadata } from '#metadata/index.ts';
import { createNotifications, createSystemMessages } from '#system/service.ts';
import { createLogger, createMetrics } from '#telemetry/index.ts';
import { basic, createApiFixture, FIXTURE_NODE_ID, type FixtureUsers } from './api-fixture.ts';
import { ManualClock } from './manual-clock.ts';
import { openTestMetadata } from './metadata.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any;
}

/** The inputs service and its routes over SQLite in memory and the workers it is given. */
export interface InputsFixture {
  readonly inputs: InputsService;
  readonly metadata: Metadata;
  readonly audited: readonly AuditEntry[];
  readonly api: Api;
  readonly routes: readonly Route[];
  notifications(): Promise<string[]>;
  call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown, as?: string): Promise<Answer>;
  close(): Promise<void>;
}

export interface InputsFixtureOptions {
  readonly workers: InputWorkers;
  readonly users?: FixtureUsers;
  readonly metadata?: Metadata;
  readonly withDefaultInputs?: boolean;
  readonly nodeId?: string;
  readonly refreshIntervalMs?: number;
  readonly passwordSecret?: string;
  /** Otherwise real ports are looked at. */
  readonly claims?: InputsServiceDeps['claims'];
}

export async function createInputsFixture(options: InputsFixtureOptions): Promise<InputsFixture> {
  const clock = new ManualClock();
  const metadata = options.metadata ?? (await openTestMetadata(clock));
  const logger = createLogger({ level: 'silent', stream: { write: () => {} } });
  const audited: AuditEntry[] = [];
  const { repositories } = metadata;
  const notifications = createNotifications({ ...repositories, logger }, { nodeId: FIXTURE_NODE_ID });
  const inputs = createInputsService(
    {
      metadata,
      workers: options.workers,
      audit: { record: async (entry) => void audited.push(entry) },
      notifications,
      systemMessages: createSystemMessages({ ...repositories, logger }, { nodeId: FIXTURE_NODE_ID }),
      metrics: createMetrics(),
      clock: systemClock,
      logger,
      cipher: createSecretCipher(new Secret(options.passwordSecret ?? 'the secret of all nodes')),
      ...(options.claims && { claims: options.claims }),
    },
    {
      nodeId: options.nodeId ?? FIXTURE_NODE_ID,
      rootUsername: 'admin',
      defaultInputs: options.withDefaultInputs
        ? { bindAddress: '127.0.0.1', udpPort: 0, tcpPort: 0, httpPort: 0 }
        : undefined,
      refreshIntervalMs: options.refreshIntervalMs,
    },
  );
  await inputs.start();
  const routeDeps: InputStateRouteDeps = { inputs, nodeCalls: aloneInTheCluster };
  const routes = [...inputRoutes(routeDeps), ...inputStateRoutes(routeDeps)];
  const { api } = await createApiFixture(routes, {
    ...(options.users && { users: options.users }),
  });
  await api.fastify.ready();
  return {
    inputs,
    metadata,
    audited,
    api,
    routes,
    notifications: async () =>
      (await notifications.list()).map(
        ({ type, key }) => `${type} ${key?.replace(`:${FIXTURE_NODE_ID}`, '')}`,
      ),
    async call(method, path, body, as = 'admin') {
      const response = await api.fastify.inject({
        method,
        url: `/api${path}`,
        headers: {
          authorization: basic(as),
          'x-requested-by': 'test',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      });
      return {
        status: response.statusCode,
        headers: response.headers,
        body: response.payload === '' ? undefined : JSON.parse(response.payload),
      };
    },
    async close() {
      await api.stop();
      await inputs.stop();
      if (options.metadata === undefined) await metadata.close();
    },
  };
}

export const aloneInTheCluster: Cluster['nodeCalls'] = {
  onNode: async (_nodeId, _request, _schema, own) => own(),
  onAllNodes: async (_request, _schema, own) => ({ [FIXTURE_NODE_ID]: await own() }),
  otherNodes: () => [],
  openOnNode: () => Promise.reject(new Error('there is no other node')),
};
