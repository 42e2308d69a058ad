/** Messages that the program itself makes on the main thread, a few at a time: events of alert rules. */
import { createHash, randomBytes } from 'node:crypto';
import { UnavailableError } from '#core/index.ts';
import type { BlockMessage } from './block-messages.ts';
import { qualifiedName } from './clickhouse/index.ts';
import type { IndexSetDirectory } from './index-sets/directory.ts';
import { activeIndex } from './index-sets/snapshot.ts';
import { createMessageBlock } from './message-block.ts';
import type { MessageDatabase } from './message-database.ts';
import { insertSettings } from './schema/message-table.ts';
import { type SeenField, SeenFields } from './seen-fields.ts';
import { earlierInsertsEnded, storedIds } from './writer/stored-rows.ts';

export interface OwnMessages {
  /**
   * Resolves when all of them are stored. Each is stored once: those whose id the index set has already are left out, so
   * a caller that does not know how far it got just says it again. Rejects with `UnavailableError` or `RetryableError`
   * while the engine is away.
   */
  store(indexSetId: string, nodeId: string, messages: readonly BlockMessage[]): Promise<void>;
}

export interface OwnMessagesDeps {
  readonly directory: Pick<IndexSetDirectory, 'snapshot'>;
  readonly database: Pick<MessageDatabase, 'clickhouse'>;
  readonly fieldsSeen: (fields: readonly SeenField[]) => Promise<void>;
}

const TIMEOUT_MS = 30_000;

export function createOwnMessages(
  deps: OwnMessagesDeps,
  { database }: { readonly database: string },
): OwnMessages {
  return {
    async store(indexSetId, nodeId, messages) {
      const indexSet = deps.directory.snapshot()?.indexSets.find(({ id }) => id === indexSetId);
      if (indexSet === undefined)
        throw new UnavailableError(`The index set ${indexSetId} does not exist yet.`);
      const { servers, replication } = deps.database.clickhouse();
      const isReplicated = replication !== undefined;
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const digest = createHash('sha256')
        .update(messages.map(({ message }) => message.id).join())
        .digest();
      // The same messages always go to the same server, which knows the token.
      const server = servers[digest.readUInt32LE(0) % servers.length];
      if (server === undefined) throw new UnavailableError('There is no ClickHouse yet.');

      const missingOf = async (wanted: readonly BlockMessage[]) => {
        const table = { table: qualifiedName(database, indexSet.table), isReplicated };
        const ids = wanted.map(({ message }) => message.id);
        const stored = await storedIds(servers, table, ids, signal);
        return wanted.filter(({ message }) => !stored.has(message.id));
      };
      const insert = async (wanted: readonly BlockMessage[], token: string) => {
        const seenFields = new SeenFields(indexSetId);
        const block = createMessageBlock({ indexSetId, nodeId, seenFields });
        for (const { message, target } of wanted) block.append(message, target);
        await deps.fieldsSeen(seenFields.takeNews());
        await server.insertNative({
          database,
          table: indexSet.table,
          block: block.encode(activeIndex(indexSet)),
          deduplicationToken: token,
          queryId: `${token}/${randomSuffix()}`,
          settings: insertSettings(replication),
          signal,
        });
      };

      const token = `own-${digest.toString('base64url')}`;
      const missing = await missingOf(messages);
      if (missing.length === 0) return;
      await insert(missing, token);
      if (isReplicated) return;
      // The token may be that of an insert whose rows never became visible: see `BlockSender`.
      await earlierInsertsEnded([server], token, signal);
      const unstored = await missingOf(missing);
      if (unstored.length > 0) await insert(unstored, `${token}~${randomSuffix()}`);
    },
  };
}

function randomSuffix(): string {
  return randomBytes(6).toString('base64url');
}
