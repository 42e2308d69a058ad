import {
  type ConfigurationOf,
  type ConfigurationProblem,
  field,
  headerProblems,
  httpHeader,
  types,
} from '#core/index.ts';
import { commonFields, GROUP, template } from '../../notification-type.ts';

export const httpFields = {
  url: field(types.httpUrl(), {
    humanName: 'URL',
    description: 'Where the notice is sent.',
    placeholder: 'https://hooks.example.org/alerts',
    receivesSecrets: true,
  }),
  payload: field(
    types.choice({
      event: 'JSON of an event, as Graylog 3.1 and later send it',
      alarm_callback: 'JSON of an alarm callback, as Graylog up to 3.0 sends it',
      template: 'The template below',
    }),
    {
      humanName: 'Body',
      description: 'What is sent.',
      default: 'event',
      optional: true,
    },
  ),
  body_template: field(template({ multiline: true }), {
    humanName: 'Template of the body',
    description: 'Values are escaped for the content type: JSON and forms stay valid.',
    optional: true,
    dependsOn: { field: 'payload', value: 'template' },
  }),
  content_type: field(
    types.choice({
      'application/json': 'JSON',
      'application/x-www-form-urlencoded': 'Form',
      'text/plain': 'Text',
    }),
    {
      humanName: 'Content type',
      description: 'Of a body from the template.',
      default: 'application/json',
      optional: true,
      dependsOn: { field: 'payload', value: 'template' },
    },
  ),
  ...commonFields,
  method: field(types.oneOf(['POST', 'PUT', 'GET']), {
    humanName: 'Method',
    description: 'A GET has no body.',
    default: 'POST',
    optional: true,
    group: GROUP.http,
  }),
  headers: field(types.list(httpHeader(types.text())), {
    humanName: 'Headers',
    description: 'Sent with every call.',
    default: [],
    optional: true,
    group: GROUP.http,
  }),
  secret_headers: field(types.list(httpHeader(types.secret())), {
    humanName: 'Secret headers',
    description: 'The same, with values that are never shown.',
    default: [],
    optional: true,
    group: GROUP.http,
  }),
  basic_auth: field(types.secret(), {
    humanName: 'User name and password',
    description: 'For Basic authentication, as user:password.',
    optional: true,
    group: GROUP.http,
  }),
  api_key: field(types.text({ maxLength: 200 }), {
    humanName: 'API key',
    description: 'The name of the parameter or header that holds the API secret.',
    optional: true,
    group: GROUP.http,
  }),
  api_secret: field(types.secret(), {
    humanName: 'API secret',
    description: 'The value of that parameter or header.',
    optional: true,
    group: GROUP.http,
  }),
  api_key_as_header: field(types.boolean(), {
    humanName: 'API key as a header',
    description: 'Otherwise it is a parameter of the URL.',
    default: false,
    optional: true,
    group: GROUP.http,
  }),
  signature_secret: field(types.secret({ minLength: 8 }), {
    humanName: 'Signature secret',
    description:
      'Signs each call: X-Millrace-Signature is t=<Unix seconds>,v1=<hex HMAC-SHA256 of "<Unix seconds>.<body>">.',
    optional: true,
    group: GROUP.http,
  }),
  timeout: field(types.duration({ min: '100ms', max: '60s' }), {
    humanName: 'Timeout',
    description: 'In milliseconds. After it the call has failed and is tried again.',
    default: 10_000,
    optional: true,
    group: GROUP.http,
  }),
  skip_tls_verification: field(types.boolean(), {
    humanName: 'Take any certificate',
    description: 'Do not check who answers. Only for tests: others could read and change what is sent.',
    default: false,
    optional: true,
    group: GROUP.http,
  }),
};

export type HttpConfig = ConfigurationOf<typeof httpFields>;

export function httpProblems(config: HttpConfig): ConfigurationProblem[] {
  const problems: ConfigurationProblem[] = [];
  if (config.payload === 'template' && config.body_template === undefined) {
    problems.push({ path: 'body_template', message: 'is missing: what should be sent?' });
  }
  if (config.api_secret !== undefined && config.api_key === undefined) {
    problems.push({ path: 'api_key', message: 'is missing: which parameter or header has the API secret?' });
  }
  return [
    ...problems,
    ...headerProblems('headers', config.headers),
    ...headerProblems('secret_headers', config.secret_headers),
  ];
}
