import { errorCode, errorMessage, type FrameSource, formatHostPort } from '#core/index.ts';
import { type InputContext, InputStartError, type InputTransport } from '../input.ts';

const IPV4_IN_IPV6 = '::ffff:';

/** The address as people write it: an IPv4 sender on an IPv6 socket has an IPv4 address. */
function senderAddress(address: string | undefined): string {
  if (address === undefined) return '';
  return address.startsWith(IPV4_IN_IPV6) ? address.slice(IPV4_IN_IPV6.length) : address;
}

/** The source of frames from a sender. Make one for each sender and keep it; see `FrameSource`. */
export function frameSource(
  { inputId, codecId }: Pick<InputContext, 'inputId' | 'codecId'>,
  remoteAddress: string | undefined,
  remotePort: number | undefined,
): FrameSource {
  return { inputId, remoteAddress: senderAddress(remoteAddress), remotePort: remotePort ?? 0, codecId };
}

/** Why a socket could not be bound, and what to do about it. */
export function listenError(
  error: unknown,
  transport: InputTransport,
  bindAddress: string,
  port: number,
): InputStartError {
  const where = `${transport.toUpperCase()} ${formatHostPort(bindAddress, port)}`;
  return new InputStartError(`cannot listen on ${where}: ${reasonOf(error, bindAddress, port)}`, {
    cause: error,
  });
}

function reasonOf(error: unknown, bindAddress: string, port: number): string {
  switch (errorCode(error)) {
    case 'EADDRINUSE':
      return 'the port is in use; stop the program that uses it or choose another port';
    case 'EACCES':
      return `this user may not use port ${port}; choose a port above 1023 or grant CAP_NET_BIND_SERVICE`;
    case 'EADDRNOTAVAIL':
      return `this machine does not have the address ${bindAddress}; 0.0.0.0 stands for all of its addresses`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `the name ${bindAddress} cannot be resolved; use an IP address`;
    default:
      return errorMessage(error);
  }
}
