import { isUnreachable } from './errors.ts';

/** Servers take turns. If a server is unreachable, the request goes to the next one. */
export interface Failover<Server> {
  run<Result>(ask: (server: Server) => Promise<Result>): Promise<Result>;
  /** Once a server has delivered something, the iteration stays with it and throws its failures. */
  iterate<Piece>(ask: (server: Server) => AsyncIterable<Piece>): AsyncGenerator<Piece, void, undefined>;
}

/** @param servers at least one */
export function createFailover<Server>(servers: readonly Server[]): Failover<Server> {
  let turn = 0;

  async function run<Result>(ask: (server: Server) => Promise<Result>): Promise<Result> {
    const first = turn++ % servers.length;
    let failure: unknown;
    for (const server of [...servers.slice(first), ...servers.slice(0, first)]) {
      try {
        return await ask(server);
      } catch (error) {
        if (!isUnreachable(error)) throw error;
        failure = error;
      }
    }
    throw failure;
  }

  return {
    run,
    async *iterate(ask) {
      const { pieces, first } = await run(async (server) => {
        const iterator = ask(server)[Symbol.asyncIterator]();
        return { pieces: iterator, first: await iterator.next() };
      });
      try {
        for (let piece = first; !piece.done; piece = await pieces.next()) yield piece.value;
      } finally {
        await pieces.return?.();
      }
    },
  };
}
