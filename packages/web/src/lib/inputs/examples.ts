import type { Input, InputState, InputType } from '@millrace/contract';
import { inUrl } from '@millrace/contract/states';

/** A way to send a message to an input, as it can be pasted. */
export interface Example {
  readonly label: string;
  readonly code: string;
}

const LOOPBACK = /^(?:127\.|localhost$|::1$)/;
const ANY_ADDRESS = new Set(['', '0.0.0.0', '::']);

export interface Address {
  /** In brackets if it is one of IPv6. */
  readonly host: string;
  readonly port: number;
  readonly isOnlyLocal: boolean;
}

type Configured = Pick<Input, 'effective_attributes'>;
type Listening = InputState['listening'];

/** Where senders reach an input: its own address, or the one this page came from when it listens everywhere. */
export function addressOf(
  { effective_attributes: attributes }: Configured,
  pageHost: string,
  listening?: Listening,
): Address {
  const bound = typeof attributes.bind_address === 'string' ? attributes.bind_address : '';
  const wanted = Number(attributes.port);
  return {
    host: inUrl(ANY_ADDRESS.has(bound) ? pageHost : bound),
    port: wanted === 0 ? (listening?.port ?? wanted) : wanted,
    isOnlyLocal: LOOPBACK.test(bound),
  };
}

/** The examples of the input's type that suit it, with its address in them. */
export function examplesFor(
  input: Configured,
  { examples }: Pick<InputType, 'examples'>,
  pageHost: string,
  listening?: Listening,
): Example[] {
  const { host, port } = addressOf(input, pageHost, listening);
  const isEncrypted = input.effective_attributes.tls_enable === true;
  return examples
    .filter(({ tls }) => tls === undefined || tls === isEncrypted)
    .map(({ label, text }) => {
      // Only URLs put brackets around an address of IPv6.
      const isUrl = text.includes('://{host}');
      const code = text
        .replaceAll('{host}', isUrl ? host : host.replace(/[[\]]/g, ''))
        .replaceAll('{port}', String(port))
        .trimEnd();
      return { label, code };
    });
}
