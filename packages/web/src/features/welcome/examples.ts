import type { Input, InputType } from '@millrace/contract';

/** A way to send a message to an input, as it can be pasted. */
export interface Example {
  readonly label: string;
  readonly code: string;
}

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

/** The examples of the input's type, with the address of the input in them. */
export function examplesFor(
  input: Pick<Input, 'attributes'>,
  { examples }: Pick<InputType, 'examples'>,
  pageHost: string,
): Example[] {
  const { host, port } = addressOf(input, pageHost);
  const isEncrypted = input.attributes.tls_enable === true;
  return examples.map(({ label, text }) => {
    // Only URLs put brackets around an address of IPv6.
    const isUrl = text.includes('://{host}');
    const code = text
      .replaceAll('{host}', isUrl ? host : host.replace(/[[\]]/g, ''))
      .replaceAll('{port}', String(port))
      .trimEnd();
    return { label, code: isEncrypted ? code.replaceAll('http://', 'https://') : code };
  });
}
