import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { Secret } from '#core/index.ts';
import { createSelfSignedCertificate } from '#inputs/net/self-signed.ts';
import { aBacklogMessage, aNotice } from '#testing/alert-notice.ts';
import { notificationContext, sendNotice } from '#testing/notification-fixture.ts';
import { startSmtpReceiver } from '#testing/smtp-receiver.ts';
import type { AlertNotice } from '../../notice.ts';
import { SendFailure } from '../../sending.ts';
import { emailNotification } from './notification.ts';
import { createMailTransport, type MailSettings } from './transport.ts';

const settings = (port: number, changes: Partial<MailSettings> = {}): MailSettings => ({
  host: '127.0.0.1',
  port,
  auth: undefined,
  security: 'none',
  from: 'millrace@example.org',
  timeoutMs: 5000,
  ...changes,
});

const USERS: Record<string, { email: string; timeZone: string | null }> = {
  anna: { email: 'anna@example.org', timeZone: 'Europe/Berlin' },
  ben: { email: '', timeZone: null },
};

function send(mail: MailSettings, configuration: Record<string, unknown>, notice: AlertNotice = aNotice()) {
  const context = notificationContext({
    mail: createMailTransport(mail),
    users: { find: async (name) => USERS[name] },
  });
  return sendNotice(emailNotification, configuration, notice, context);
}

test('a readable mail, in text and HTML', async () => {
  const server = await startSmtpReceiver();
  const notice = aNotice({ key: ['shop-1'], groupBy: { source: 'shop-1' } });
  await send(settings(server.port), { email_recipients: ['ops@example.org'] }, notice);
  const [mail] = server.mails;
  expect(mail).toMatchObject({ from: 'millrace@example.org', to: ['ops@example.org'] });
  expect(mail?.header('subject')).toMatch(/^Too many errors: Stream had 7 messages in the last 5 minutes/);
  expect(mail?.header('from')).toBe('Millrace <millrace@example.org>');
  expect(mail?.header('auto-submitted')).toBe('auto-generated');
  await expect(mail?.part('text/plain')).toMatchFileSnapshot('./sample-mail.txt');
  await expect(mail?.part('text/html')).toMatchFileSnapshot('./sample-mail-html.txt');
});

test('each receiver gets a mail; users in their time zone, an address only once', async () => {
  const server = await startSmtpReceiver();
  await send(settings(server.port), {
    user_recipients: ['anna'],
    email_recipients: ['ops@example.org', 'ANNA@example.org', 'ops@example.org'],
    time_zone: 'America/New_York',
  });
  expect(server.mails.map(({ to }) => to)).toEqual([['anna@example.org'], ['ops@example.org']]);
  expect(server.mails[0]?.part('text/plain')).toContain('2026-03-01T13:00:00.000+01:00');
  expect(server.mails[1]?.part('text/plain')).toContain('2026-03-01T07:00:00.000-05:00');
  expect(server.mails[0]?.header('message-id')).not.toBe(server.mails[1]?.header('message-id'));
});

test('a mail that is sent again has the same id; mails of one alert stand together', async () => {
  const server = await startSmtpReceiver();
  const to = { email_recipients: ['ops@example.org'] };
  await send(settings(server.port), to);
  await send(settings(server.port), to);
  await send(settings(server.port), to, aNotice({ id: 'alert-1:resolved', kind: 'resolved' }));
  const [first, second, resolved] = server.mails;
  expect(first?.header('message-id')).toBe(second?.header('message-id'));
  expect(first?.header('message-id')).not.toBe(resolved?.header('message-id'));
  expect(first?.header('references')).toBe(resolved?.header('references'));
  expect(resolved?.header('subject')).toMatch(/^Resolved: Too many errors/);
});

test('templates of Graylog, and no way for a message to add headers or HTML', async () => {
  const server = await startSmtpReceiver();
  const nasty = 'x\r\nBcc: all@example.org\r\n\r\n<script>alert(1)</script>';
  await send(
    settings(server.port),
    {
      email_recipients: ['ops@example.org'],
      sender: 'alerts@example.org',
      reply_to: 'team@example.org',
      subject: 'Alert for ${stream.title}: ${check_result.resultDescription}',
      body_template: '${if backlog}${foreach backlog message}${message.message}|${end}${else}none${end}',
      html_body_template: '<ul>${foreach backlog message}<li>${message.message}</li>${end}</ul>',
    },
    aNotice({ resultDescription: nasty, backlog: [aBacklogMessage({ message: nasty })] }),
  );
  const [mail] = server.mails;
  expect(mail?.to).toEqual(['ops@example.org']);
  expect(mail?.from).toBe('alerts@example.org');
  expect(mail?.header('reply-to')).toBe('team@example.org');
  expect(mail?.header('bcc')).toBeUndefined();
  expect(mail?.header('subject')).toBe('Alert for Shop: x Bcc: all@example.org <script>alert(1)</script>');
  expect(mail?.part('text/html')).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(mail?.part('text/html')).not.toContain('<script>');
});

test('a text of your own has no HTML unless you write it', async () => {
  const server = await startSmtpReceiver();
  await send(settings(server.port), { email_recipients: ['ops@example.org'], body_template: 'Hi' });
  expect(server.mails[0]?.part('text/html')).toBeUndefined();
});

test('a log-in', async () => {
  const server = await startSmtpReceiver({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, callback) =>
      password === 'right' ? callback(null, { user: username }) : callback(new Error('wrong password')),
  });
  const auth = (password: string) => ({ username: 'mill', password: new Secret(password) });
  await send(settings(server.port, { auth: auth('right') }), { email_recipients: ['ops@example.org'] });
  expect(server.mails[0]?.user).toBe('mill');
  const refused = send(settings(server.port, { auth: auth('wrong') }), {
    email_recipients: ['ops@example.org'],
  });
  // Somebody may correct the settings, and then the mail must still be there.
  await expect(refused).rejects.toMatchObject({ isRetryable: true, isSetup: true });
});

test('STARTTLS, TLS from the start, and certificates that nobody trusts', async () => {
  const { certificate: cert, key } = createSelfSignedCertificate({
    commonName: 'localhost',
    alternativeNames: ['127.0.0.1'],
    nowMs: Date.now(),
    days: 1,
  });
  const to = { email_recipients: ['ops@example.org'] };
  const upgrading = await startSmtpReceiver({ key, cert });
  await send(settings(upgrading.port, { security: 'starttls', certificates: cert }), to);
  const secure = await startSmtpReceiver({ key, cert, secure: true });
  await send(settings(secure.port, { security: 'tls', certificates: cert }), to);
  expect([upgrading.mails[0]?.isSecure, secure.mails[0]?.isSecure]).toEqual([true, true]);

  await expect(send(settings(upgrading.port, { security: 'starttls' }), to)).rejects.toMatchObject({
    isRetryable: true,
  });
  const plain = await startSmtpReceiver();
  await expect(send(settings(plain.port, { security: 'starttls' }), to)).rejects.toThrow(/STARTTLS/);
  expect([plain.mails, upgrading.mails.length]).toEqual([[], 1]);
});

test('a refused receiver does not keep the others from their mail', async () => {
  const server = await startSmtpReceiver({
    onRcptTo: ({ address }, _session, callback) => {
      if (!address.startsWith('gone')) return callback();
      callback(Object.assign(new Error('no such mailbox'), { responseCode: 550 }));
    },
  });
  const report = await send(settings(server.port), {
    user_recipients: ['ben', 'nobody'],
    email_recipients: ['gone@example.org', 'ops@example.org'],
  });
  expect(server.mails.map(({ to }) => to)).toEqual([['ops@example.org']]);
  expect(report.warning).toMatch(
    /ben has no e-mail address.*no user nobody.*gone@example.org.*no such mailbox/,
  );

  const alone = send(settings(server.port), { email_recipients: ['gone@example.org'] });
  await expect(alone).rejects.toMatchObject({ isRetryable: false });
  await expect(send(settings(server.port), {})).rejects.toThrow('there is nobody to send a mail to');
});

test('a server that is busy is tried again, without those who have their mail', async () => {
  let isBusy = true;
  const server = await startSmtpReceiver({
    onRcptTo: ({ address }, _session, callback) => {
      if (!isBusy || address.startsWith('first')) return callback();
      callback(Object.assign(new Error('try later'), { responseCode: 451 }));
    },
  });
  const done = new Set<string>();
  const context = notificationContext({ mail: createMailTransport(settings(server.port)) });
  const sender = emailNotification.create(context, {
    email_recipients: ['first@example.org', 'second@example.org'],
  });
  if (!('send' in sender)) throw new Error(sender.text);
  const attempt = () =>
    sender.send(aNotice(), {
      done,
      markDone: async (part) => void done.add(part),
      signal: new AbortController().signal,
    });
  await expect(attempt()).rejects.toMatchObject({ isRetryable: true });
  isBusy = false;
  await attempt();
  expect(server.mails.map(({ to }) => to)).toEqual([['first@example.org'], ['second@example.org']]);
});

test.each(['hangs', 'dies in DATA', 'is not there'])('a server that %s can be tried again', async (fault) => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    if (fault === 'hangs') return;
    socket.write('220 mail.example.org\r\n');
    let isInData = false;
    socket.on('data', (chunk) => {
      if (isInData) return void socket.destroy();
      isInData = /^DATA/m.test(chunk.toString());
      socket.write(isInData ? '354 go on\r\n' : '250 fine\r\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  if (fault === 'is not there') await new Promise((resolve) => server.close(resolve));
  const sending = send(settings(port, { timeoutMs: 300 }), { email_recipients: ['ops@example.org'] });
  const error = await sending.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(SendFailure);
  expect(error).toMatchObject({ isRetryable: true, message: expect.stringContaining(`127.0.0.1:${port}`) });
});

test('without a mail server nothing is tried again', async () => {
  const context = notificationContext();
  const sending = sendNotice(emailNotification, { email_recipients: ['a@example.org'] }, aNotice(), context);
  await expect(sending).rejects.toMatchObject({ isRetryable: false, isSetup: true });
});
