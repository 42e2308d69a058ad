import { rootCertificates } from 'node:tls';
import { errorCode, errorMessage, type Secret } from '#core/index.ts';
import { givesUp, SendFailure, triesAgain } from '../../sending.ts';

export interface Mail {
  /** Undefined: the sender of the settings. */
  readonly from: string | undefined;
  readonly to: string;
  readonly replyTo: string | undefined;
  readonly subject: string;
  readonly text: string;
  readonly html: string | undefined;
  /** The same for a mail that is sent again, so that mail programs show it once. */
  readonly messageId: string;
  /** Mails with the same one stand together. */
  readonly thread: string;
}

/** Hands mails to the mail server. `send` rejects with a `SendFailure`. */
export interface MailTransport {
  send(mail: Mail): Promise<void>;
}

/** `transport_email_*` */
export interface MailSettings {
  readonly host: string;
  readonly port: number;
  readonly auth: { readonly username: string; readonly password: Secret } | undefined;
  /** `tls`: TLS from the first byte on. `starttls`: nothing is sent without STARTTLS. */
  readonly security: 'none' | 'starttls' | 'tls';
  readonly from: string;
  /** Certificates that are trusted besides the usual ones, as PEM. */
  readonly certificates?: string;
  /** How long the server may take to connect, to greet and between answers. */
  readonly timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 15_000;

/** @param settings undefined: e-mail is not set up */
export function createMailTransport(settings: MailSettings | undefined): MailTransport {
  if (settings === undefined) {
    return {
      send: async () => {
        throw givesUp(
          'e-mail is not set up on this node: set transport_email_enabled and transport_email_hostname',
          { isSetup: true },
        );
      },
    };
  }
  const { host, port, from } = settings;
  let opening: ReturnType<typeof openTransport> | undefined;
  return {
    async send(mail) {
      opening ??= openTransport(settings);
      const transport = await opening;
      try {
        await transport.sendMail({
          from: { name: 'Millrace', address: mail.from ?? from },
          to: { name: '', address: mail.to },
          ...(mail.replyTo !== undefined && { replyTo: { name: '', address: mail.replyTo } }),
          subject: mail.subject,
          text: mail.text,
          ...(mail.html !== undefined && { html: mail.html }),
          messageId: mail.messageId,
          references: mail.thread,
          headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
        });
      } catch (error) {
        throw mailFailure(error, `${host}:${port}`);
      }
    },
  };
}

/** The library takes 5 MB, so that a node that sends no mail does without it. */
async function openTransport(settings: MailSettings) {
  const { createTransport } = await import('nodemailer');
  const { host, port, auth, security, certificates, timeoutMs = DEFAULT_TIMEOUT_MS } = settings;
  return createTransport({
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(auth && { auth: { user: auth.username, pass: auth.password.reveal() } }),
    ...(certificates !== undefined && { tls: { ca: [...rootCertificates, certificates] } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    // A text of a template must never name a file or an address to attach.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** A 5xx answer is final, everything else may be different the next time. Wrong credentials are no receiver's fault. */
function mailFailure(error: unknown, server: string): SendFailure {
  const status = responseStatus(error);
  const message = `the mail server ${server} failed: ${errorMessage(error)}`;
  const code = errorCode(error);
  const isSetup = code === 'EAUTH' || code === 'ETLS' || code === 'ESOCKET' || code === 'EDNS';
  if (isSetup) return new SendFailure(message, { isRetryable: true, isSetup, cause: error });
  if (status !== undefined && status >= 500) {
    return givesUp(`the mail server ${server} refused: ${errorMessage(error)}`);
  }
  return triesAgain(message, error);
}

function responseStatus(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('responseCode' in error)) return undefined;
  return typeof error.responseCode === 'number' ? error.responseCode : undefined;
}
