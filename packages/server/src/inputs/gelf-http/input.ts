import { createServer, type Server, type ServerOptions } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { TLSSocket, TlsOptions } from 'node:tls';
import { gelfCodec } from '#codecs/index.ts';
import type { FrameSource } from '#core/index.ts';
import { defineInputType, type Input, type InputContext } from '../input.ts';
import { createInputMetrics, type InputMetrics } from '../input-metrics.ts';
import { frameSource } from '../net/address.ts';
import { refuseClient } from '../net/connections.ts';
import { gelfTestFrame } from '../net/gelf-test.ts';
import { post } from '../net/send-test.ts';
import { createServerInput, type ServerInputParts } from '../net/server-input.ts';
import { isClientAllowed } from '../net/tls.ts';
import { createAcceptedAnswer, refuseUnreadable } from './answer.ts';
import { type GelfHttpConfig, gelfHttpFields, gelfHttpProblems } from './config.ts';
import { gelfHttpExamples } from './examples.ts';
import { requiredHeader } from './gate.ts';
import { PlainConnection, type PlainConnectionOwner } from './plain-connection.ts';
import { createPlainRequests } from './plain-request.ts';
import { createReceiver, type Receiver } from './receiver.ts';

const TYPE_ID = 'gelf-http';
const WIRE_TYPE = 'org.graylog2.inputs.gelf.http.GELFHttpInput';
const MAX_HEADER_BYTES = 16 * 1024;
const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 120_000;
const CHECK_INTERVAL_MS = 5000;
/** Stopping lets requests finish for this long. */
const MAX_FINISH_MS = 2000;
const FINISH_CHECK_MS = 10;

export const gelfHttpInput = defineInputType({
  id: TYPE_ID,
  wireType: WIRE_TYPE,
  name: 'GELF HTTP',
  description: 'Takes GELF messages in HTTP requests. Answers when they are safely on disk.',
  transport: 'tcp',
  codec: gelfCodec,
  fields: gelfHttpFields,
  examples: gelfHttpExamples,
  check: gelfHttpProblems,
  create: createGelfHttpInput,
  sendTest: (listening, message, config) =>
    post(
      listening,
      { path: '/gelf', body: gelfTestFrame(message), headers: expectedHeaders(config) },
      config,
    ),
});

/**
 * GELF messages by POST on `/gelf` and `/xlog`: one, one on each line, or a JSON array; plain, gzip or
 * deflate. 202 means that every message of the request is on disk; any other answer means that none is.
 */
function createGelfHttpInput(context: InputContext, config: GelfHttpConfig): Input {
  const { inputId } = context;
  const metrics = createInputMetrics(context.metrics, { typeId: TYPE_ID, wireType: WIRE_TYPE, inputId });
  return createServerInput(context, metrics, config, new GelfHttpServer(context, metrics, config));
}

/** What the input expects of every sender. */
function expectedHeaders(config: GelfHttpConfig): Record<string, string> {
  const { authorization_header_name: name, authorization_header_value: value } = config;
  return name === undefined || value === undefined ? {} : { [name]: value.reveal() };
}

class GelfHttpServer implements ServerInputParts {
  readonly #context: InputContext;
  readonly #config: GelfHttpConfig;
  readonly #metrics: InputMetrics;
  readonly #receiver: Receiver;
  readonly #sources = new WeakMap<Duplex, FrameSource>();

  constructor(context: InputContext, metrics: InputMetrics, config: GelfHttpConfig) {
    this.#context = context;
    this.#config = config;
    this.#metrics = metrics;
    this.#receiver = createReceiver(context, metrics, config);
  }

  createServer(tls: TlsOptions | undefined): Server {
    const receiver = this.#receiver;
    const server = this.#createServer(tls);
    this.#acceptPlainRequests(server, tls === undefined ? 'connection' : 'secureConnection');
    server.on('connection', (socket: Socket) => {
      this.#metrics.connectionOpened();
      socket.on('close', () => this.#metrics.connectionClosed());
    });
    server.on('request', (request, response) =>
      receiver.receive(request, response, this.#sourceOf(request.socket)),
    );
    server.on('checkExpectation', (request, response) =>
      receiver.receive(request, response, this.#sourceOf(request.socket)),
    );
    server.on('checkContinue', (request, response) => {
      if (!receiver.admit(request, response)) return;
      response.writeContinue();
      receiver.receive(request, response, this.#sourceOf(request.socket));
    });
    server.on('clientError', (error, socket) => {
      this.#metrics.error('unreadable_request', 'connection');
      refuseUnreadable(error, socket as Socket);
    });
    return server;
  }

  async finish(): Promise<void> {
    const receiver = this.#receiver;
    receiver.leave();
    for (let waited = 0; receiver.active > 0 && waited < MAX_FINISH_MS; waited += FINISH_CHECK_MS) {
      await delay(FINISH_CHECK_MS);
    }
    receiver.close();
    // Lets the answers just decided leave before the connections are closed.
    await delay(FINISH_CHECK_MS);
  }

  release(): void {
    this.#receiver.close();
  }

  #createServer(tls: TlsOptions | undefined): Server {
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
      // The gate asks for it, so that the sender gets a reason and the message is counted.
      requireHostHeader: false,
    };
    const server = tls === undefined ? createServer(options) : createTlsServer({ ...options, ...tls });
    // A sender that has closed its side waits for its answers. Node knows this only as a property, without a type.
    Object.assign(server, { httpAllowHalfOpen: true });
    server.setTimeout(idle_writer_timeout, (socket: Socket) => {
      this.#metrics.error('idle_timeout', 'connection');
      socket.destroy();
    });
    return server;
  }

  /** Replaces the listener by which Node's server gets its connections, and calls it for those that go to Node after all. */
  #acceptPlainRequests(server: Server, event: 'connection' | 'secureConnection'): void {
    const accept = server.listeners(event);
    server.removeAllListeners(event);
    const owner = this.#plainConnectionOwner((connection, source) => {
      this.#sources.set(connection, source);
      for (const listener of accept) listener.call(server, connection);
    });
    const required = requiredHeader(this.#config);
    server.on(event, (socket: Socket) => {
      if (event === 'secureConnection' && !isClientAllowed(this.#config, socket as TLSSocket)) {
        refuseClient(socket as TLSSocket, this.#metrics);
        return;
      }
      // Servers for TLS have no option for it.
      socket.allowHalfOpen = true;
      const source = this.#sourceOf(socket);
      const share = this.#receiver.openShare(source.remoteAddress);
      new PlainConnection(owner, socket, createPlainRequests({ required }), source, share);
    });
  }

  #plainConnectionOwner(handOver: PlainConnectionOwner['handOver']): PlainConnectionOwner {
    const { idle_writer_timeout: idleTimeoutMs } = this.#config;
    const receiver = this.#receiver;
    return {
      get isLeaving() {
        return receiver.isLeaving;
      },
      idleTimeoutMs,
      firstRequestTimeoutMs: Math.min(idleTimeoutMs || HEADERS_TIMEOUT_MS, HEADERS_TIMEOUT_MS),
      take: (bytes, start, connection, settled) => receiver.receivePlain(bytes, start, connection, settled),
      accepted: createAcceptedAnswer(this.#context.clock, idleTimeoutMs),
      idle: () => this.#metrics.error('idle_timeout', 'connection'),
      handOver,
    };
  }

  #sourceOf(socket: Socket): FrameSource {
    let source = this.#sources.get(socket);
    if (source === undefined) {
      source = frameSource(this.#context, socket.remoteAddress, socket.remotePort);
      this.#sources.set(socket, source);
    }
    return source;
  }
}
