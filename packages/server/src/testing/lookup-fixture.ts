import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { lookupRoutes } from '#api/index.ts';
import { createSecretCipher, Secret } from '#core/index.ts';
import { createWorkerLookups, type RemoteAnswer, type WorkerLookups } from '#lookup/index.ts';
import { createLookupService, type LookupService } from '#lookup/service.ts';
import type { Metadata } from '#metadata/index.ts';
import { type AuthFixture, createAuthFixture } from './auth-fixture.ts';
import { ManualClock } from './manual-clock.ts';
import { openTestMetadata } from './metadata.ts';

/** Real lookup tables over real authentication, on SQLite in memory and files in a directory of their own. */
export interface LookupFixture {
  readonly clock: ManualClock;
  readonly metadata: Metadata;
  readonly auth: AuthFixture;
  /** As an administrator, unless told otherwise. */
  readonly call: AuthFixture['call'];
  /** The id of what this request makes. */
  created(path: string, body: object): Promise<string>;
  /** What is wrong with the adapter `data`; null: nothing. */
  errorOf(): Promise<string | null>;
  readonly service: LookupService;
  readonly routes: ReturnType<typeof lookupRoutes>;
  /** What a worker has. */
  readonly worker: WorkerLookups;
  /** What the worker has for a key of a remote table after it was fetched. */
  fetched(table: string, key: string): Promise<unknown>;
  /** When the worker has got its next answers of remote tables. */
  answered(): Promise<void>;
  /** Below which adapters may read files. */
  readonly directory: string;
  write(file: string, content: string | Buffer): void;
  close(): Promise<void>;
}

const SETTINGS = {
  /** The servers of the tests. */
  allowedNetworks: ['127.0.0.1'],
  /** Never: it looks for changes only when it is told to, by a change through the API or by `purge`. */
  refreshIntervalMs: 2 ** 30,
};

export async function createLookupFixture(): Promise<LookupFixture> {
  const clock = new ManualClock();
  const metadata = await openTestMetadata(clock);
  const parent = fs.mkdtempSync(path.join(os.tmpdir(), 'millrace-lookup-'));
  const directory = path.join(parent, 'files');
  fs.mkdirSync(directory);
  const made = Promise.withResolvers<LookupService>();
  const auth = await createAuthFixture({
    metadata,
    clock,
    moreRoutes: async ({ audit }) => {
      const service = createLookupService(
        {
          metadata,
          audit,
          cipher: createSecretCipher(new Secret('a secret of the tests')),
          clock,
          logger: pino({ level: 'silent' }),
        },
        { filesDirectory: directory, ...SETTINGS },
      );
      await service.start();
      made.resolve(service);
      return lookupRoutes({ lookup: service });
    },
  });
  const service = await made.promise;
  const worker = createWorkerLookups({
    clock,
    send: (requests) => service.serve(structuredClone(requests), reply),
  });
  const waiting = new Set<() => void>();
  const answered = (answers: readonly RemoteAnswer[]) => {
    worker.receive(answers);
    for (const resolve of waiting) resolve();
    waiting.clear();
  };
  const reply = (answers: readonly RemoteAnswer[]) => answered(structuredClone(answers));
  service.onSnapshot((_, news) => worker.useSnapshot(structuredClone(news)));
  service.onForget((forgotten, by) => {
    if (by !== reply) worker.forget(forgotten);
  });
  const nextAnswers = () => new Promise<void>((resolve) => void waiting.add(resolve));
  const call: AuthFixture['call'] = (method, path, options = {}) =>
    auth.call(method, path, { as: 'admin', ...options });
  return {
    clock,
    metadata,
    auth,
    call,
    async created(path, body) {
      const answer = await call('POST', path, { body });
      if (answer.status !== 200) throw new Error(answer.text);
      return answer.body.id;
    },
    async errorOf() {
      const { body } = await call('POST', '/system/lookup/errorstates', {
        body: { data_adapters: ['data'] },
      });
      return body.data_adapters.data;
    },
    service,
    routes: lookupRoutes({ lookup: service }),
    worker,
    async fetched(table, key) {
      const next = nextAnswers();
      worker.lookup(table, key);
      await next;
      return worker.lookup(table, key)?.single;
    },
    answered: nextAnswers,
    directory,
    write: (file, content) => fs.writeFileSync(path.join(directory, file), content),
    async close() {
      await service.stop();
      await auth.close();
      fs.rmSync(parent, { recursive: true });
    },
  };
}
