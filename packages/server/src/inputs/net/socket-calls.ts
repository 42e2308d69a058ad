/**
 * The calls to the operating system that `node:dgram` does not offer, through `node:ffi`. Only this file
 * knows how they are made; see ADR 9.
 *
 * Memory is passed as addresses of buffers. The addresses stay valid because the memory of an unpooled buffer is
 * outside the garbage collector's heap and never moves, and because the caller holds the buffers. All calls return
 * at once and keep no address.
 */
import { endianness } from 'node:os';

export interface SocketCalls {
  /** The address of a buffer that was made with `Buffer.allocUnsafeSlow` and is never resized or transferred. */
  addressOf(memory: Buffer): bigint;
  /**
   * Fills up to `count` of the message headers (`struct mmsghdr`) at `headers` with what has arrived and returns
   * how many it filled; 0 when nothing has arrived or the socket has failed. Never waits.
   */
  receiveMany(fd: number, headers: bigint, count: number): number;
  /** Sets a receive buffer beyond the system's limit; false without the permission (CAP_NET_ADMIN). */
  forceReceiveBuffer(fd: number, bytes: number): boolean;
  /**
   * Lets a program (see `encodeSteering`) choose among the bound sockets that share a port, at least two. False when the
   * kernel does not support it.
   */
  steer(fd: number, program: Buffer): boolean;
  /** Nothing may be called afterwards. */
  close(): void;
}

/** The constants and layouts in this file and in `receive-many.ts` are theirs. */
const ARCHITECTURES: readonly NodeJS.Architecture[] = ['x64', 'arm64'];
const MSG_DONTWAIT = 0x40;
const SOL_SOCKET = 1;
const SO_RCVBUFFORCE = 33;
const SO_ATTACH_REUSEPORT_CBPF = 51;
/** The kernel keeps twice the size in a signed number. */
export const MAX_BUFFER_BYTES = 2 ** 30 - 1;

/** An instruction of classic BPF: code, jump if true, jump if false, operand. */
type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, operand: number];

const INSTRUCTION_BYTES = 8;

/**
 * A program for the kernel that returns the number of the socket a datagram goes to. A number that no socket has means:
 * as without a program. Keep the buffer as long as it may be used, because the kernel gets its address only.
 */
export function encodeSteering(instructions: readonly Instruction[]): Buffer {
  const program = Buffer.allocUnsafeSlow(instructions.length * INSTRUCTION_BYTES);
  let at = 0;
  for (const [code, ifTrue, ifFalse, operand] of instructions) {
    program.writeUInt16LE(code, at);
    program.writeUInt8(ifTrue, at + 2);
    program.writeUInt8(ifFalse, at + 3);
    program.writeUInt32LE(operand, at + 4);
    at += INSTRUCTION_BYTES;
  }
  return program;
}

/** Undefined where they are not available: not on Linux, or when Node runs without ffi. */
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
    steer(fd, program) {
      // struct sock_fprog: the number of instructions, and where they are.
      const value = Buffer.allocUnsafeSlow(16).fill(0);
      value.writeUInt16LE(program.length / INSTRUCTION_BYTES, 0);
      value.writeBigUInt64LE(getRawPointer(program), 8);
      return functions.setsockopt(fd, SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, value, value.length) === 0;
    },
    close: () => lib.close(),
  };
}
