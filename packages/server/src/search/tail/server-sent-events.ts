/**
 * Writes and reads server-sent events. An event with messages has one line per message, so that messages can be passed on
 * without parsing their JSON:
 *
 *   id: …
 *   event: message
 *   data: [
 *   data: {"_id":…},
 *   data: {"_id":…}
 *   data: ]
 */

/** `data` must not contain line feeds. */
export function eventText(event: string, data: string): string {
  return `event: ${event}\ndata: ${data}\n\n`;
}

export function commentText(comment: string): string {
  return `: ${comment}\n\n`;
}

/** At least one message. */
export function messagesEventText(id: string, messages: readonly string[]): string {
  return `id: ${id}\nevent: message\ndata: [\ndata: ${messages.join(',\ndata: ')}\ndata: ]\n\n`;
}

export interface ServerSentEvent {
  readonly event: string;
  /** The lines of its data. */
  readonly data: readonly string[];
}

/** Longer than any event of this program. */
const MAX_EVENT_LENGTH = 16 * 2 ** 20;

/** Yields events as they arrive. Throws for an event that is too long. */
export async function* readEvents(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of bytes) {
    rest += decoder.decode(chunk, { stream: true });
    let start = 0;
    for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n', start)) {
      yield parseEvent(rest.slice(start, end));
      start = end + 2;
    }
    rest = rest.slice(start);
    if (rest.length > MAX_EVENT_LENGTH) throw new Error('a server-sent event is too long');
  }
}

function parseEvent(text: string): ServerSentEvent {
  let event = 'message';
  const data: string[] = [];
  for (const line of text.split('\n')) {
    if (line.startsWith('data: ')) data.push(line.slice(6));
    else if (line.startsWith('event: ')) event = line.slice(7);
  }
  return { event, data };
}

/** The messages of an event made by `messagesEventText`. */
export function messagesOf({ data }: ServerSentEvent): string[] {
  return data.slice(1, -1).map((line) => (line.endsWith('},') ? line.slice(0, -1) : line));
}
