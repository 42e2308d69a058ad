import { createHash } from 'node:crypto';

/** A password for nodes under test, so that they need not be asked for the one they made up. */
export const PASSWORD = 'river';

/** For the environment of `startNode`. */
export const KNOWN_PASSWORD = {
  MILLRACE_ROOT_PASSWORD_SHA2: createHash('sha256').update(PASSWORD).digest('hex'),
};

/** The value of the header `Authorization`. */
export function rootCredentials(): string {
  return `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`;
}

export interface ApiAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any;
}

/** Calls the API of a node that was started with `KNOWN_PASSWORD`. */
export async function callApi(
  address: string,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<ApiAnswer> {
  const response = await fetch(`${address}/api${path}`, {
    method,
    headers: {
      authorization: rootCredentials(),
      'x-requested-by': 'test',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text,
  };
}
