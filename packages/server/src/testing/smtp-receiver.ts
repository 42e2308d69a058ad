import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { onTestFinished } from 'vitest';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Of the log-in; undefined without one. */
  readonly user: string | undefined;
  readonly isSecure: boolean;
  /** The whole mail as it was sent. */
  readonly source: string;
  header(name: string): string | undefined;
  /** The decoded part of this type. */
  part(contentType: string): string | undefined;
}

export interface SmtpReceiver {
  readonly port: number;
  readonly mails: ReceivedMail[];
}

/** A real mail server on this machine. */
export async function startSmtpReceiver(options: SMTPServerOptions = {}): Promise<SmtpReceiver> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: options.key === undefined ? ['STARTTLS'] : [],
    onAuth: (auth, _session, callback) => callback(null, { user: auth.username }),
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        const source = Buffer.concat(chunks).toString('utf8');
        mails.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          user: typeof session.user === 'string' ? session.user : undefined,
          isSecure: session.secure,
          source,
          header: (name) => headerOf(source, name),
          part: (contentType) => partOf(source, contentType),
        });
        callback();
      });
    },
    ...options,
  });
  // Clients that give up are part of the tests.
  server.on('error', () => {});
  const sockets = new Set<Socket>();
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise<void>((resolve) => server.close(resolve));
  });
  return { port: (server.server.address() as AddressInfo).port, mails };
}

/** Unfolded, with encoded words decoded. */
function headerOf(source: string, name: string): string | undefined {
  const [head = ''] = source.split('\r\n\r\n', 1);
  const unfolded = head.replaceAll(/\r\n[ \t]+/g, ' ');
  const line = unfolded.split('\r\n').find((each) => each.toLowerCase().startsWith(`${name.toLowerCase()}:`));
  return line
    ?.slice(name.length + 1)
    .trim()
    .replaceAll(/\?= =\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_all, kind: string, text: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString()
        : quotedPrintable(text.replaceAll('_', ' ')),
    );
}

function partOf(source: string, contentType: string): string | undefined {
  const boundary = /boundary="([^"]+)"/.exec(source)?.[1];
  const parts = boundary === undefined ? [source] : source.split(`--${boundary}`);
  for (const part of parts) {
    const [head = '', ...body] = part.split('\r\n\r\n');
    if (!head.toLowerCase().includes(`content-type: ${contentType}`)) continue;
    const text = body.join('\r\n\r\n');
    if (/content-transfer-encoding: base64/i.test(head)) return Buffer.from(text, 'base64').toString();
    const decoded = /content-transfer-encoding: quoted-printable/i.test(head) ? quotedPrintable(text) : text;
    return decoded.replaceAll('\r\n', '\n');
  }
  return undefined;
}

function quotedPrintable(text: string): string {
  const joined = text.replaceAll(/=\r\n/g, '');
  const bytes = joined.replaceAll(/=([0-9a-f]{2})/gi, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
