import type { FastifyRequest } from 'fastify';
import type { Logger } from '#telemetry/index.ts';
import type { ApiSettings } from './settings.ts';

const MESSAGE =
  'there is a proxy in front of this node, but trusted_proxies is not set: all clients seem to have the address of the proxy, in the audit log and when failed logins are counted. Set trusted_proxies to the address of the proxy';

/** Warns once about a proxy that is not trusted: at the start if the settings show it, else when a request does. */
export function createProxyWarning(logger: Logger, { behindProxy, trustedProxies }: ApiSettings) {
  let isDone = trustedProxies.length > 0;
  const warn = (): void => {
    isDone = true;
    logger.warn(MESSAGE);
  };
  return {
    atStart: (): void => {
      if (!isDone && behindProxy) warn();
    },
    atRequest: ({ headers }: FastifyRequest): void => {
      if (!isDone && (headers['x-forwarded-for'] ?? headers.forwarded) !== undefined) warn();
    },
  };
}
