import { createServer, type IncomingMessage, type Server, type ServerOptions } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import type { FrameSource } from '#core/index.ts';
import { defineInputType, type Input, type InputContext, type Listening } from '../input.ts';
import { createInputMetrics, type InputMetrics } from '../input-metrics.ts';
import { peerAddress } from '../net/address.ts';
import { limitConnections, refuseClient, trackSockets } from '../net/connections.ts';
import { listen } from '../net/listen.ts';
import { followServerRenewals, isClientAllowed, tlsServerOptions } from '../net/tls.ts';
import { refuseUnreadable } from './answer.ts';
import { type GelfHttpConfig, gelfHttpFields, gelfHttpProblems } from './config.ts';
import { createReceiver, type Receiver } from './receiver.ts';

const TYPE_ID = 'gelf-http';
const WIRE_TYPE = 'org.graylog2.inputs.gelf.http.GELFHttpInput';
const MAX_HEADER_BYTES = 16 * 1024;
const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 120_000;
const CHECK_INTERVAL_MS = 5000;
/** Stopping lets requests finish for this long. */
const LONGEST_FINISH_MS = 2000;
const FINISH_CHECK_MS = 10;

export const gelfHttpInput = defineInputType({
  id: TYPE_ID,
  wireType: WIRE_TYPE,
  name: 'GELF HTTP',
  description: 'Takes GELF messages in HTTP requests. Answers when they are safely on disk.',
  transport: 'tcp',
  fields: gelfHttpFields,
  check: gelfHttpProblems,
  create: (context, config) => new GelfHttpInput(context, config),
});

/**
 * GELF messages by POST on `/gelf` and `/xlog`: one, one on each line, or a JSON array; plain, gzip or
 * deflate. 202 means that every message of the request is on disk; any other answer means that none is.
 */
class GelfHttpInput implements Input {
  readonly #context: InputContext;
  readonly #config: GelfHttpConfig;
  readonly #metrics: InputMetrics;
  readonly #sources = new WeakMap<Socket, FrameSource>();
  readonly #stopping = new AbortController();
  #receiver: Receiver | undefined;
  #server: Server | undefined;
  #destroySockets: (() => void) | undefined;
  #stopFollowing: (() => void) | undefined;
  #stopped: Promise<void> | undefined;

  constructor(context: InputContext, config: GelfHttpConfig) {
    const { inputId } = context;
    this.#context = context;
    this.#config = config;
    this.#metrics = createInputMetrics(context.metrics, { typeId: TYPE_ID, wireType: WIRE_TYPE, inputId });
  }

  async start(): Promise<Listening> {
    const { bind_address, port, max_connections } = this.#config;
    const server = await this.#createServer();
    const receiver = createReceiver(this.#context, this.#metrics, this.#config);
    this.#server = server;
    this.#receiver = receiver;
    this.#destroySockets = trackSockets(server);
    this.#stopFollowing = followServerRenewals(this.#context, this.#config, server);
    limitConnections(server, max_connections, this.#metrics);
    server.on('connection', () => this.#metrics.connectionOpened());
    server.on('connection', (socket: Socket) => socket.on('close', () => this.#metrics.connectionClosed()));
    server.on('request', (request, response) => receiver.receive(request, response, this.#sourceOf(request)));
    server.on('checkContinue', (request, response) => {
      if (!receiver.admit(request, response)) return;
      response.writeContinue();
      receiver.receive(request, response, this.#sourceOf(request));
    });
    server.on('clientError', (error, socket) => {
      this.#metrics.error('unreadable_request', 'connection');
      refuseUnreadable(error, socket as Socket);
    });
    try {
      return await listen(this.#context, server, bind_address, port, this.#stopping.signal);
    } catch (error) {
      receiver.close();
      throw error;
    }
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    this.#stopping.abort(new Error('the input was stopped'));
    const server = this.#server;
    const receiver = this.#receiver;
    if (server === undefined || receiver === undefined) return;
    receiver.leave();
    this.#stopFollowing?.();
    const closed = new Promise((resolve) => server.close(resolve));
    for (let waited = 0; receiver.active > 0 && waited < LONGEST_FINISH_MS; waited += FINISH_CHECK_MS) {
      await delay(FINISH_CHECK_MS);
    }
    receiver.close();
    // Gives the answers just decided their way out before the connections go.
    await delay(FINISH_CHECK_MS);
    this.#destroySockets?.();
    await closed;
  }

  async #createServer(): Promise<Server> {
    const { tcp_keepalive, idle_writer_timeout } = this.#config;
    const options: ServerOptions = {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: idle_writer_timeout,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
      keepAlive: tcp_keepalive,
      keepAliveInitialDelay: 60_000,
      noDelay: true,
    };
    const tls = await tlsServerOptions(this.#context, this.#config);
    const server = tls === undefined ? createServer(options) : createTlsServer({ ...options, ...tls });
    server.setTimeout(idle_writer_timeout, (socket: Socket) => {
      this.#metrics.error('idle_timeout', 'connection');
      socket.destroy();
    });
    server.on('secureConnection', (socket: TLSSocket) => {
      if (!isClientAllowed(this.#config, socket)) refuseClient(socket, this.#metrics);
    });
    return server;
  }

  #sourceOf({ socket }: IncomingMessage): FrameSource {
    let source = this.#sources.get(socket);
    if (source === undefined) {
      source = {
        inputId: this.#context.inputId,
        remoteAddress: peerAddress(socket.remoteAddress),
        remotePort: socket.remotePort ?? 0,
      };
      this.#sources.set(socket, source);
    }
    return source;
  }
}
