import { once } from 'node:events';
import http from 'node:http';

export interface TailEvent {
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of every shape
  readonly data: any;
  /** When it was read, by `performance.now()`. */
  readonly at: number;
}

/** Follows the messages of a node, as a browser does. */
export interface TailClient {
  readonly id: string;
  readonly events: readonly TailEvent[];
  /** Texts of the messages received so far. */
  texts(): string[];
  /** Resolves with the first event that matches. */
  until(isWanted: (event: TailEvent) => boolean): Promise<TailEvent>;
  untilText(text: string): Promise<TailEvent>;
  /** Pauses and resumes reading from the socket. */
  setReading(reading: boolean): void;
  readonly ended: Promise<void>;
  close(): void;
}

export class TailRefused extends Error {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  readonly body: any;
  constructor(status: number, body: string) {
    super(`${status} ${body}`);
    this.status = status;
    this.body = body === '' ? undefined : JSON.parse(body);
  }
}

/** Resolves when the tail is open; rejects with `TailRefused`. */
export async function openTail(
  address: string,
  parameters: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>>,
): Promise<TailClient> {
  const url = `${address}/api/search/tail?${new URLSearchParams(parameters)}`;
  const request = http.get(url, { headers: { accept: 'text/event-stream', ...headers } });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  if (response.statusCode !== 200) {
    let body = '';
    for await (const chunk of response) body += chunk;
    throw new TailRefused(response.statusCode ?? 0, body);
  }
  const events: TailEvent[] = [];
  const waiting = new Set<(event: TailEvent) => void>();
  let rest = '';
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      const event = parseEvent(part);
      if (event === undefined) continue;
      events.push(event);
      for (const look of [...waiting]) look(event);
    }
  });
  response.on('error', () => {});
  const ended = new Promise<void>((resolve) => response.once('close', resolve));

  function until(isWanted: (event: TailEvent) => boolean): Promise<TailEvent> {
    const found = events.find(isWanted);
    if (found !== undefined) return Promise.resolve(found);
    return new Promise((resolve, reject) => {
      const look = (event: TailEvent) => {
        if (!isWanted(event)) return;
        waiting.delete(look);
        resolve(event);
      };
      waiting.add(look);
      void ended.then(() => reject(new Error(`the tail ended: ${JSON.stringify(events.at(-1))}`)));
    });
  }

  const open = await until(({ event }) => event === 'open');
  return {
    id: open.data.id,
    events,
    texts: () =>
      events.flatMap(({ event, data }) =>
        event === 'message' ? data.map(({ message }: { message: string }) => message) : [],
      ),
    until,
    untilText: (text) =>
      until(
        ({ event, data }) =>
          event === 'message' && data.some(({ message }: { message: string }) => message === text),
      ),
    setReading: (reading) => void (reading ? response.resume() : response.pause()),
    ended,
    close: () => void request.destroy(),
  };
}

function parseEvent(text: string): TailEvent | undefined {
  const lines = text.split('\n');
  const data = lines.flatMap((line) => (line.startsWith('data: ') ? [line.slice(6)] : [])).join('\n');
  const event = lines.find((line) => line.startsWith('event: '))?.slice(7);
  return event === undefined || data === ''
    ? undefined
    : { event, data: JSON.parse(data), at: performance.now() };
}
