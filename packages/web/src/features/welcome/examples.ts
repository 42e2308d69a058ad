import type { Input } from '@millrace/contract';

/** A command that sends one message to an input, as it can be pasted into a shell. */
export interface Example {
  readonly label: string;
  readonly command: string;
}

const MESSAGE = '{"version":"1.1","host":"my-machine","short_message":"Hello, Millrace","level":6}';
const LOOPBACK = /^(?:127\.|localhost$|::1$)/;
const ANY_ADDRESS = new Set(['', '0.0.0.0', '::']);

export interface Address {
  readonly host: string;
  readonly port: number;
  readonly isOnlyLocal: boolean;
}

/** Where senders reach an input: its own address, or the one this page came from when it listens everywhere. */
export function addressOf({ attributes }: Pick<Input, 'attributes'>, pageHost: string): Address {
  const bound = typeof attributes.bind_address === 'string' ? attributes.bind_address : '';
  const host = ANY_ADDRESS.has(bound) ? pageHost : bound;
  return {
    host: host.includes(':') ? `[${host}]` : host,
    port: Number(attributes.port),
    isOnlyLocal: LOOPBACK.test(bound),
  };
}

export function exampleFor(input: Pick<Input, 'type' | 'attributes'>, pageHost: string): Example | undefined {
  const { host, port } = addressOf(input, pageHost);
  const isEncrypted = input.attributes.tls_enable === true;
  // nc wants addresses without brackets.
  const plainHost = host.replace(/[[\]]/g, '');
  switch (input.type.split('.').at(-1)) {
    case 'GELFHttpInput':
      return {
        label: 'HTTP',
        command: `curl -d '${MESSAGE}' \\\n  http${isEncrypted ? 's' : ''}://${host}:${port}/gelf`,
      };
    case 'GELFTCPInput':
      return {
        label: 'TCP',
        command: isEncrypted
          ? `printf '${MESSAGE}\\0' | \\\n  openssl s_client -quiet -connect ${host}:${port}`
          : `printf '${MESSAGE}\\0' | \\\n  nc -w1 ${plainHost} ${port}`,
      };
    case 'GELFUDPInput':
      return { label: 'UDP', command: `printf '${MESSAGE}' | \\\n  nc -u -w1 ${plainHost} ${port}` };
    default:
      return undefined;
  }
}
