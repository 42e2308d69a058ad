/** One server-sent event: its name and its data, the lines of the latter joined. */
export interface ServerEvent {
  readonly event: string;
  readonly data: string;
}

/** The events of an answer, as they come. Read with `fetch`, not `EventSource`, so that errors can be told apart. */
export async function* serverEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      // A line may end with CR LF, of which the second half comes with the next piece.
      const blocks = (rest + decoder.decode(value, { stream: true })).replace(/\r\n/g, '\n').split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = eventOf(block);
        if (event !== undefined) yield event;
      }
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

/** Undefined for comments and for blocks without data. */
function eventOf(block: string): ServerEvent | undefined {
  let event = 'message';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const [, name, value = ''] = /^([^:]+)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === 'event') event = value;
    else if (name === 'data') data.push(value);
  }
  return data.length === 0 ? undefined : { event, data: data.join('\n') };
}
