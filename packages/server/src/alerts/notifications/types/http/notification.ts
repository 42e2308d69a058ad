import { createHmac } from 'node:crypto';
import type { RawConfiguration } from '#core/index.ts';
import type { AlertNotice } from '../../notice.ts';
import { defineNotificationType, type NotificationContext } from '../../notification-type.ts';
import { alarmCallbackPayload, eventPayload } from '../../payload.ts';
import { asIs, escapeForm, escapeJson } from '../../template/escape.ts';
import { templateModel } from '../../template/model.ts';
import { parseTemplate } from '../../template/template.ts';
import { type HttpConfig, httpFields, httpProblems } from './config.ts';

const ALARM_CALLBACK = 'org.graylog2.alarmcallbacks.HTTPAlarmCallback';
const VERSION_2 = 'http-notification-v2';

export const httpNotification = defineNotificationType({
  id: 'http',
  wireType: 'http-notification-v1',
  aliases: [VERSION_2],
  name: 'HTTP',
  description: 'Calls a URL, with the notice as JSON or as a text of your own.',
  fields: httpFields,
  check: httpProblems,
  callback: { type: ALARM_CALLBACK },
  normalize: normalizeHttp,
  create: (context, config) => ({
    async send(notice, { signal }) {
      const { body, contentType } = await bodyOf(context, config, notice);
      const sentBody = config.method === 'GET' ? undefined : body;
      await context.http.call({
        url: urlOf(config),
        method: config.method,
        headers: {
          ...(sentBody !== undefined && { 'content-type': contentType }),
          ...Object.fromEntries(config.headers.map(({ name, value }) => [name, value])),
        },
        secretHeaders: secretHeadersOf(config, sentBody ?? '', context.clock.now()),
        ...(sentBody !== undefined && { body: sentBody }),
        timeoutMs: config.timeout,
        verifyTls: !config.skip_tls_verification,
        signal,
      });
      return {};
    },
  }),
});

async function bodyOf(context: NotificationContext, config: HttpConfig, notice: AlertNotice) {
  if (config.payload === 'template' && config.body_template !== undefined) {
    const escapeValue = ESCAPES[config.content_type];
    const model = templateModel(notice, context.webInterface());
    return {
      body: parseTemplate(config.body_template).render(model, {
        escape: escapeValue,
        timeZone: config.time_zone,
      }),
      contentType: config.content_type,
    };
  }
  const [stream] = notice.streams;
  const payload =
    config.payload === 'alarm_callback'
      ? alarmCallbackPayload(notice, stream && (await context.findStream(stream.id)))
      : eventPayload(notice);
  return { body: JSON.stringify(payload), contentType: 'application/json' };
}

const ESCAPES = {
  'application/json': escapeJson,
  'application/x-www-form-urlencoded': escapeForm,
  'text/plain': asIs,
};

function urlOf({ url, api_key, api_secret, api_key_as_header }: HttpConfig): string {
  if (api_key === undefined || api_secret === undefined || api_key_as_header) return url;
  const withKey = new URL(url);
  withKey.searchParams.set(api_key, api_secret.reveal());
  return withKey.href;
}

function secretHeadersOf(config: HttpConfig, body: string, now: number): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { name, value } of config.secret_headers) headers[name] = value.reveal();
  if (config.basic_auth !== undefined) {
    headers.authorization = `Basic ${Buffer.from(config.basic_auth.reveal()).toString('base64')}`;
  }
  if (config.api_key !== undefined && config.api_secret !== undefined && config.api_key_as_header) {
    headers[config.api_key] = config.api_secret.reveal();
  }
  if (config.signature_secret !== undefined) {
    const seconds = Math.floor(now / 1000);
    const digest = createHmac('sha256', config.signature_secret.reveal())
      .update(`${seconds}.${body}`)
      .digest('hex');
    headers['x-millrace-signature'] = `t=${seconds},v1=${digest}`;
  }
  return headers;
}

/** What each of Graylog's HTTP notifications sends without saying so, and its headers as one text. */
function normalizeHttp(raw: RawConfiguration, name: string): RawConfiguration {
  const { headers } = raw;
  const named = typeof headers === 'string' ? { ...raw, headers: headersOf(headers) } : raw;
  if (named.payload !== undefined) return named;
  if (name === ALARM_CALLBACK) return { ...named, payload: 'alarm_callback' };
  const hasTemplate = typeof named.body_template === 'string' && named.body_template !== '';
  return name === VERSION_2 && hasTemplate ? { ...named, payload: 'template' } : named;
}

function headersOf(text: string): { name: string; value: string }[] {
  return text
    .split(/[\n;]/)
    .map((line) => /^\s*([^:]+?)\s*:\s*(.*?)\s*$/.exec(line))
    .flatMap((match) => (match === null ? [] : [{ name: match[1] ?? '', value: match[2] ?? '' }]));
}
