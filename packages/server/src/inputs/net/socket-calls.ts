/**
 * The two calls to the operating system that `node:dgram` does not offer, through `node:ffi`. Only this file
 * knows how they are made; see ADR 9.
 *
 * Memory is handed over as addresses of buffers. The addresses stay right because the memory of a buffer that
 * is not pooled lies outside the garbage collector's heap and never moves, and the memory stays there because
 * whoever calls holds the buffers. Both calls return at once and keep nothing of what they were given.
 */
import { endianness } from 'node:os';

export interface SocketCalls {
  /** The address of a buffer that was made with `Buffer.allocUnsafeSlow` and is never resized or transferred. */
  addressOf(memory: Buffer): bigint;
  /**
   * Fills up to `count` of the message headers (`struct mmsghdr`) at `headers` with what has arrived and gives
   * how many it filled; 0 when nothing has arrived or the socket has failed. Never waits.
   */
  receiveMany(fd: number, headers: bigint, count: number): number;
  /** Sets a receive buffer beyond the limit of the system; false without the right (CAP_NET_ADMIN) to do so. */
  forceReceiveBuffer(fd: number, bytes: number): boolean;
  /** Nothing may be called afterwards. */
  close(): void;
}

/** Those whose constants and layouts are in this file and in `receive-many.ts`. */
const ARCHITECTURES: readonly NodeJS.Architecture[] = ['x64', 'arm64'];
const MSG_DONTWAIT = 0x40;
const SOL_SOCKET = 1;
const SO_RCVBUFFORCE = 33;
/** The kernel keeps twice the size in a signed number. */
export const MOST_BUFFER_BYTES = 2 ** 30 - 1;

/** Undefined where they cannot be made: elsewhere than on Linux, or where Node was told to do without ffi. */
export async function loadSocketCalls(): Promise<SocketCalls | undefined> {
  if (process.platform !== 'linux' || !ARCHITECTURES.includes(process.arch) || endianness() !== 'LE') {
    return undefined;
  }
  try {
    return open(await import('node:ffi'));
  } catch {
    return undefined;
  }
}

function open({ dlopen, getRawPointer }: typeof import('node:ffi')): SocketCalls {
  const { lib, functions } = dlopen(null, {
    recvmmsg: { arguments: ['i32', 'pointer', 'u32', 'i32', 'pointer'], return: 'i32' },
    setsockopt: { arguments: ['i32', 'i32', 'i32', 'pointer', 'u32'], return: 'i32' },
  });
  return {
    addressOf: (memory) => getRawPointer(memory),
    receiveMany: (fd, headers, count) =>
      Math.max(0, functions.recvmmsg(fd, headers, count, MSG_DONTWAIT, null)),
    forceReceiveBuffer(fd, bytes) {
      const value = Buffer.allocUnsafeSlow(4);
      value.writeInt32LE(bytes);
      return functions.setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, value, value.length) === 0;
    },
    close: () => lib.close(),
  };
}
