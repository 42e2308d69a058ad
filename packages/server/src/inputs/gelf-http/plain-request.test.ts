import { once } from 'node:events';
import { createServer } from 'node:http';
import { Duplex } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPlainRequests } from './plain-request.ts';

const BODY = '{"short_message":"x","host":"h"}';

function request(headers: readonly string[], body = BODY, line = 'POST /gelf HTTP/1.1'): Buffer {
  return Buffer.from([line, ...headers, '', body].join('\r\n'), 'latin1');
}

const HOST = 'Host: localhost:12201';
const LENGTH = `Content-Length: ${BODY.length}`;

function bodyOf(bytes: Buffer): string | undefined {
  const start = createPlainRequests({}).bodyStart(bytes);
  return start < 0 ? undefined : bytes.toString('latin1', start);
}

describe('plain requests', () => {
  it('are those that common senders make', () => {
    expect(bodyOf(request([HOST, LENGTH]))).toBe(BODY);
    expect(bodyOf(request([HOST, LENGTH], BODY, 'POST /xlog HTTP/1.1'))).toBe(BODY);
    expect(bodyOf(request([HOST, 'User-Agent: curl/8.14.1', 'Accept: */*', LENGTH]))).toBe(BODY);
    const fetched = ['connection: keep-alive', 'accept-encoding: gzip, deflate', 'sec-fetch-mode: cors'];
    expect(bodyOf(request(['host: x', ...fetched, 'content-type: text/plain;charset=UTF-8', LENGTH]))).toBe(
      BODY,
    );
    expect(bodyOf(request([HOST, `CONTENT-LENGTH:${BODY.length}  `]))).toBe(BODY);
  });

  const others: Record<string, Buffer> = {
    'another method': request([HOST, LENGTH], BODY, 'PUT /gelf HTTP/1.1'),
    'another path': request([HOST, LENGTH], BODY, 'POST /gelf?x HTTP/1.1'),
    'another version': request([HOST, LENGTH], BODY, 'POST /gelf HTTP/1.0'),
    'no host': request([LENGTH]),
    'two hosts': request([HOST, HOST, LENGTH]),
    'no length': request([HOST]),
    'two lengths': request([HOST, LENGTH, LENGTH]),
    'two lengths in one': request([HOST, `Content-Length: ${BODY.length}, ${BODY.length}`]),
    'a length with a sign': request([HOST, `Content-Length: +${BODY.length}`]),
    'a length with zeros': request([HOST, `Content-Length: 0${BODY.length}`]),
    'a length in hexadecimal': request([HOST, `Content-Length: 0x${BODY.length.toString(16)}`]),
    'space before the colon': request([HOST, `Content-Length : ${BODY.length}`]),
    'a folded line': request([HOST, 'Accept: a', ` ${LENGTH}`, LENGTH]),
    'chunks as well': request([HOST, LENGTH, 'Transfer-Encoding: chunked']),
    'an encoding': request([HOST, LENGTH, 'Content-Encoding: gzip']),
    'a question first': request([HOST, LENGTH, 'Expect: 100-continue']),
    'the last request': request([HOST, LENGTH, 'Connection: close']),
    'an origin': request([HOST, LENGTH, 'Origin: https://example.org']),
    'an unknown header': request([HOST, LENGTH, 'X-Unknown: 1']),
    'a byte outside ASCII': request([HOST, LENGTH, 'User-Agent: \xe9']),
    'a lone carriage return': request([HOST, 'User-Agent: a\rb', LENGTH]),
    'a lone line feed': request([HOST, `User-Agent: a\nContent-Length: 3`, LENGTH]),
    'a null byte': request([HOST, 'User-Agent: \0', LENGTH]),
    'less than the body': request([HOST, `Content-Length: ${BODY.length + 1}`]),
    'more than the body': request([HOST, LENGTH], `${BODY} `),
    'an empty line first': Buffer.concat([Buffer.from('\r\n'), request([HOST, LENGTH])]),
    'a head of 3 KB': request([HOST, `User-Agent: ${'a'.repeat(3000)}`, LENGTH]),
    nothing: Buffer.alloc(0),
  };
  it.each(Object.entries(others))('are not requests with %s', (_what, bytes) => {
    expect(bodyOf(bytes)).toBeUndefined();
  });

  it('have the required header once, with the right value', () => {
    const required = { name: 'x-key', isRight: (value: unknown) => value === 'right' };
    const plain = (...headers: string[]) =>
      createPlainRequests({ required }).bodyStart(request([HOST, ...headers, LENGTH])) > 0;
    expect(plain('X-Key: right')).toBe(true);
    expect(plain()).toBe(false);
    expect(plain('X-Key: wrong')).toBe(false);
    expect(plain('X-Key: right', 'X-Key: right')).toBe(false);
    expect(plain('X-Key: wrong', 'X-Key: right')).toBe(false);
  });

  it('never have a required header that could say how the body is read', () => {
    const plain = (name: string, value: string) =>
      createPlainRequests({ required: { name: name.toLowerCase(), isRight: () => true } }).bodyStart(
        request([HOST, `${name}: ${value}`, LENGTH]),
      ) > 0;
    expect(plain('Authorization', 'Bearer 1')).toBe(true);
    expect(plain('Api-Key', '1')).toBe(true);
    expect(plain('Transfer-Encoding', 'chunked')).toBe(false);
    expect(plain('Content-Encoding', 'gzip')).toBe(false);
    expect(plain('Proxy-Connection', 'close')).toBe(false);
    expect(plain('Expect', '100-continue')).toBe(false);
  });

  it('may differ from the last one of the connection in any header', () => {
    const requests = createPlainRequests({});
    const first = request([HOST, LENGTH]);
    expect(requests.bodyStart(first)).toBe(first.length - BODY.length);
    expect(requests.bodyStart(request([HOST, LENGTH], `${BODY} `))).toBe(-1);
    expect(requests.bodyStart(request([HOST, LENGTH, 'Transfer-Encoding: chunked']))).toBe(-1);
    expect(requests.bodyStart(request([HOST, 'Content-Length: 2'], '{}'))).toBeGreaterThan(0);
    expect(requests.bodyStart(first)).toBe(first.length - BODY.length);
  });

  it('are for Node the same request, and no other follows', async () => {
    const pieces = fc.constantFrom(
      'Host: x',
      'Accept: */*',
      'Connection: keep-alive',
      'Connection: close',
      'Content-Length: 4',
      'Content-Length: 04',
      'Content-Length:4 ',
      'Content-Length: 4, 4',
      'Transfer-Encoding: chunked',
      'transfer-encoding:identity',
      'User-Agent: \x7f',
      'Via: 1.1 a\r\n b',
      'Content-Length\t: 4',
      'Forwarded: for=1;a="b\\"',
    );
    const line = fc.constantFrom('POST /gelf HTTP/1.1', 'POST  /gelf HTTP/1.1', 'POST /xlog HTTP/1.1');
    const end = fc.constantFrom('\r\n', '\r\n', '\r\n', '\n', '\r');
    const body = fc.constantFrom('abcd', '0\r\n\r', 'GET ', 'abcde', 'abc');
    const text = fc
      .tuple(line, fc.array(fc.tuple(pieces, end), { maxLength: 6 }), end, body)
      .map(([first, lines, last, rest]) =>
        [first, '\r\n', 'Host: y', '\r\n', ...lines.flat(), 'Content-Length: 4\r\n', last, rest].join(''),
      );
    const flipped = fc.tuple(text, fc.nat(), fc.integer({ min: 0, max: 255 })).map(([whole, at, byte]) => {
      const bytes = Buffer.from(whole, 'latin1');
      bytes[at % bytes.length] = byte;
      return bytes;
    });
    const oneHost = text.map((whole) => Buffer.from(whole.replace('Host: y\r\n', ''), 'latin1'));
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(fc.oneof(flipped, oneHost, fc.constant(request([HOST, LENGTH]))), async (bytes) => {
        const seen = bodyOf(bytes);
        if (seen === undefined) return;
        accepted += 1;
        expect(await byNode(bytes)).toEqual([seen]);
      }),
      { numRuns: 3000 },
    );
    expect(accepted).toBeGreaterThan(100);
  });
});

/** The bodies of the requests that Node's server finds in these bytes, and `error` if there is something else. */
async function byNode(bytes: Buffer): Promise<string[]> {
  const found: string[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      found.push(
        `${incoming.method === 'POST' ? '' : incoming.method}${Buffer.concat(chunks).toString('latin1')}`,
      );
      response.on('finish', () => connection.push(null));
      response.end();
    });
  });
  server.on('clientError', (_error, socket) => {
    found.push('error');
    socket.destroy();
  });
  const connection = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
  server.emit('connection', connection);
  connection.push(bytes);
  if (!connection.closed) await once(connection, 'close');
  return found;
}
