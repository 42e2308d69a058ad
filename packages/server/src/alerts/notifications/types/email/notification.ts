import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { errorMessage } from '#core/index.ts';
import type { AlertNotice } from '../../notice.ts';
import { defineNotificationType, type NotificationContext } from '../../notification-type.ts';
import { givesUp, isRetryable, type SendProgress, type SendReport } from '../../sending.ts';
import { asIs, escapeHtml, oneLine, shorten } from '../../template/escape.ts';
import { templateModel } from '../../template/model.ts';
import { parseTemplate } from '../../template/template.ts';
import { KIND_PREFIX } from '../../wording.ts';
import { type EmailConfig, emailFields, emailProblems, htmlTemplateOf } from './config.ts';

export const emailNotification = defineNotificationType({
  id: 'email',
  wireType: 'email-notification-v1',
  name: 'E-mail',
  description: 'Sends a mail to addresses and to users. Needs transport_email_enabled.',
  fields: emailFields,
  check: emailProblems,
  callback: {
    type: 'org.graylog2.alarmcallbacks.EmailAlarmCallback',
    names: {
      body_template: 'body',
      email_recipients: 'email_receivers',
      user_recipients: 'user_receivers',
    },
  },
  create: (context, config) => ({
    send: (notice, progress) => sendMails(context, config, notice, progress),
  }),
});

/** A receiver, or somebody who cannot be reached. */
type Receiver =
  | { readonly address: string; readonly timeZone: string }
  | { readonly name: string; readonly problem: string };

const MAX_SUBJECT_LENGTH = 250;

async function sendMails(
  context: NotificationContext,
  config: EmailConfig,
  notice: AlertNotice,
  progress: SendProgress,
): Promise<SendReport> {
  const problems: string[] = [];
  let reached = 0;
  for (const receiver of await receiversOf(context, config)) {
    if ('problem' in receiver) {
      problems.push(receiver.problem);
      continue;
    }
    if (progress.done.has(receiver.address)) {
      reached += 1;
      continue;
    }
    progress.signal.throwIfAborted();
    try {
      await context.mail.send(mailOf(context, config, notice, receiver));
    } catch (error) {
      // What fails for now fails for all: those who are left get their mail with the next attempt.
      if (isRetryable(error) || isSetup(error)) throw error;
      problems.push(`${receiver.address}: ${errorMessage(error)}`);
      continue;
    }
    await progress.markDone(receiver.address);
    reached += 1;
  }
  if (reached === 0) {
    throw givesUp(problems.length > 0 ? problems.join('; ') : 'there is nobody to send a mail to');
  }
  return problems.length > 0 ? { warning: `not everybody was reached: ${problems.join('; ')}` } : {};
}

function isSetup(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'isSetup' in error && error.isSetup === true;
}

/** Each address once; for users their time zone counts. */
async function receiversOf(context: NotificationContext, config: EmailConfig): Promise<Receiver[]> {
  const receivers = new Map<string, Receiver>();
  for (const username of new Set(config.user_recipients)) {
    const user = await context.users.find(username);
    if (user === undefined || user.email === '') {
      const problem =
        user === undefined ? `there is no user ${username}` : `the user ${username} has no e-mail address`;
      receivers.set(`user ${username}`, { name: username, problem });
    } else {
      receivers.set(user.email.toLowerCase(), {
        address: user.email,
        timeZone: user.timeZone ?? config.time_zone,
      });
    }
  }
  for (const address of config.email_recipients) {
    const key = address.toLowerCase();
    if (!receivers.has(key)) receivers.set(key, { address, timeZone: config.time_zone });
  }
  return [...receivers.values()];
}

/** An address stands in brackets. */
function messageIdHost(hostname: string): string {
  const plain = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(plain) !== 0) return isIP(plain) === 6 ? `[IPv6:${plain}]` : `[${plain}]`;
  return plain.replace(/[^\w.-]/g, '') || 'localhost';
}

function mailOf(
  context: NotificationContext,
  config: EmailConfig,
  notice: AlertNotice,
  { address, timeZone }: { readonly address: string; readonly timeZone: string },
) {
  const webInterface = context.webInterface();
  const model = templateModel(notice, webInterface);
  const subject = parseTemplate(config.subject).render(model, { escape: oneLine, timeZone });
  const html = htmlTemplateOf(config);
  const host = messageIdHost(new URL(webInterface).hostname);
  const id = (text: string) => `<${createHash('sha256').update(text).digest('hex').slice(0, 40)}@${host}>`;
  return {
    from: config.sender,
    to: address,
    replyTo: config.reply_to,
    subject: shorten(oneLine(KIND_PREFIX[notice.kind] + subject), MAX_SUBJECT_LENGTH),
    text: parseTemplate(config.body_template).render(model, { escape: asIs, timeZone }),
    html: html && parseTemplate(html).render(model, { escape: escapeHtml, timeZone }),
    messageId: id(`${notice.id}\n${address}`),
    thread: id(`alert ${notice.alertId ?? notice.rule.id}`),
  };
}
