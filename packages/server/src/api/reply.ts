import type { Readable } from 'node:stream';

/**
 * An answer that is more than a body with the usual status: another status, headers, a redirect or a stream. Handlers
 * return it; the server sends it.
 */
export interface Reply<Status extends number, Body> {
  readonly isReply: true;
  readonly status: Status;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** A JSON body that matches the schema declared for the status. */
  readonly body?: Body;
  /** Anything else; needs `content-type` in the headers. */
  readonly raw?: string | Buffer | Readable;
}

export type AnyReply = Reply<number, unknown>;

export type ReplyHeaders = Readonly<Record<string, string | readonly string[]>>;

const NO_HEADERS: ReplyHeaders = {};

/** `reply(201, { id }, { location: '/streams/1' })` */
export function reply<const Status extends number, Body>(
  status: Status,
  body: Body,
  headers: ReplyHeaders = NO_HEADERS,
): Reply<Status, Body> {
  return { isReply: true, status, headers, body };
}

/** No body: `emptyReply(204, { 'set-cookie': '…' })`. */
export function emptyReply<const Status extends number>(
  status: Status,
  headers: ReplyHeaders = NO_HEADERS,
): Reply<Status, undefined> {
  return { isReply: true, status, headers };
}

/** Server-sent events. */
export function eventsReply(events: Readable): Reply<200, never> {
  return rawReply(200, 'text/event-stream; charset=utf-8', events, {
    'cache-control': 'no-store',
    // Without this, nginx would buffer the events.
    'x-accel-buffering': 'no',
  });
}

/** Text, bytes or a stream with its own content type. The stream is destroyed if the client disconnects. */
export function rawReply<const Status extends number>(
  status: Status,
  contentType: string,
  raw: string | Buffer | Readable,
  headers: ReplyHeaders = NO_HEADERS,
): Reply<Status, never> {
  return { isReply: true, status, headers: { ...headers, 'content-type': contentType }, raw };
}
