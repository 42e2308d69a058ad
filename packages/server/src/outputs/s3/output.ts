import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { AwsV4Signer } from 'aws4fetch';
import { type ConfigurationOf, type ConfigurationProblem, field, types } from '#core/index.ts';
import { jsonEncoding, jsonLines } from '../json-encoding.ts';
import {
  batchFields,
  batchLimits,
  reconnectDelayField,
  requestTimeoutField,
  serverFieldsField,
} from '../net/fields.ts';
import { createHttpSender } from '../net/http-sender.ts';
import { tlsClientFields, tlsClientProblems } from '../net/tls-client.ts';
import { defineOutputType, type OutputContext } from '../output.ts';
import { GROUP } from '../queue-fields.ts';
import { DEFAULT_KEY, keyTemplateProblem, objectKey } from './object-key.ts';

const s3Fields = {
  endpoint: field(types.httpUri(), {
    humanName: 'Endpoint',
    description: 'Address of the storage service.',
    placeholder: 'https://s3.eu-central-1.amazonaws.com/',
    receivesSecrets: true,
  }),
  region: field(types.text({ pattern: /^[a-z0-9-]{1,64}$/i, expected: 'a region such as eu-central-1' }), {
    humanName: 'Region',
    description: 'Region of the bucket. Services without regions mostly take us-east-1.',
    default: 'us-east-1',
  }),
  bucket: field(
    types.text({
      pattern: /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
      expected: 'a bucket name: lower case letters, digits, dots and hyphens',
    }),
    { humanName: 'Bucket', description: 'Where objects are stored. It must exist.' },
  ),
  object_key: field(types.text({ check: keyTemplateProblem }), {
    humanName: 'Names of objects',
    description:
      'A path. {yyyy}, {mm}, {dd} and {hh} are the time of the first message in UTC, {id} its id, {worker} the worker that sends, {output} the id of this output. Outputs with the same bucket need {output} or other paths, or they replace objects of each other.',
    default: DEFAULT_KEY,
  }),
  access_key_id: field(types.text({ pattern: /^[!-~]{1,128}$/, expected: 'an access key id' }), {
    humanName: 'Access key id',
    description: 'The key must be allowed to write objects into the bucket.',
    group: GROUP.authorization,
  }),
  secret_access_key: field(types.secret(), {
    humanName: 'Secret access key',
    description: 'The secret that belongs to the access key id.',
    group: GROUP.authorization,
  }),
  path_style: field(types.boolean(), {
    humanName: 'Bucket in the path',
    description:
      'https://host/bucket/object, which most services understand. Off: https://bucket.host/object.',
    default: true,
    optional: true,
    group: GROUP.more,
  }),
  include_server_fields: serverFieldsField,
  ...batchFields({ messages: 100_000, bytes: 8 * 1024 ** 2, waitMs: 60_000 }),
  request_timeout: requestTimeoutField,
  reconnect_delay: reconnectDelayField,
  ...tlsClientFields(),
};

type S3Config = ConfigurationOf<typeof s3Fields>;

const compress = promisify(gzip);
/** Other errors are about credentials, clocks and buckets: an administrator can put them right. */
const REFUSED_STATUSES = new Set([413]);

export const s3Output = defineOutputType({
  id: 's3',
  wireType: 's3',
  name: 'S3',
  description:
    'Stores batches of messages as compressed objects in S3 or a storage service that speaks its protocol.',
  fields: s3Fields,
  check: (config): ConfigurationProblem[] => tlsClientProblems(config),
  encoding: ({ include_server_fields: serverFields }) => jsonEncoding(serverFields),
  limits: (config) => batchLimits(config),
  retryDelayMs: ({ reconnect_delay }) => reconnect_delay,
  create(context, config) {
    const sender = createHttpSender({
      url: config.endpoint,
      method: 'PUT',
      headers: {},
      gzip: false,
      timeoutMs: config.request_timeout,
      tls: config,
      refusedStatuses: REFUSED_STATUSES,
    });
    return {
      async send(messages, signal) {
        const [first] = messages;
        if (first === undefined) return;
        const url = objectUrl(context, config, first);
        const body = await compress(jsonLines(messages));
        await sender.send({ url, body, headers: await signedHeaders(context, config, url, body) }, signal);
      },
      async close() {
        sender.close();
        return true;
      },
    };
  },
});

function objectUrl(
  { outputId, partition }: OutputContext,
  config: S3Config,
  { id, timestamp }: { readonly id: string; readonly timestamp: number },
): string {
  const key = objectKey(config.object_key, { id, timestamp, partition, outputId });
  const url = new URL(config.endpoint);
  const path = key.split('/').map(encodeURIComponent).join('/');
  if (config.path_style) url.pathname += `${config.bucket}/${path}`;
  else {
    url.hostname = `${config.bucket}.${url.hostname}`;
    url.pathname += path;
  }
  return url.href;
}

async function signedHeaders(
  { clock }: OutputContext,
  config: S3Config,
  url: string,
  body: Buffer,
): Promise<Record<string, string>> {
  const signer = new AwsV4Signer({
    method: 'PUT',
    url,
    headers: {
      'content-type': 'application/gzip',
      'x-amz-content-sha256': createHash('sha256').update(body).digest('hex'),
    },
    accessKeyId: config.access_key_id,
    secretAccessKey: config.secret_access_key.reveal(),
    service: 's3',
    region: config.region,
    datetime: new Date(clock.now()).toISOString().replaceAll(/[:-]|\.\d{3}/g, ''),
  });
  const { headers } = await signer.sign();
  return Object.fromEntries(headers.entries());
}
