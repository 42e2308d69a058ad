import { readFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { endianness } from 'node:os';

/**
 * Counts the datagrams that the kernel dropped because they were not read in time, for sockets bound to one
 * address, from `/proc/net/udp` and `/proc/net/udp6`:
 *
 *   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops
 *   66: 0100007F:2FA9 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 12345 2 0000 17
 *
 * All sockets of this address are added up: the workers of a node share it, and Node does not tell which socket is
 * whose. So every worker sees the same number.
 */
export interface KernelDrops {
  /** The drops since the first call; undefined where the kernel has no such counters. */
  read(): Promise<number | undefined>;
}

export function createKernelDrops(
  address: string,
  port: number,
  readText: (file: string) => Promise<string> = (file) => readFile(file, 'utf8'),
): KernelDrops {
  const file = isIPv6(address) ? '/proc/net/udp6' : '/proc/net/udp';
  const wanted = procAddress(address, port);
  /** The newest counter of each socket, by inode; a socket that is closed keeps its last one. */
  const bySocket = new Map<string, number>();

  return {
    async read() {
      let text: string;
      try {
        text = await readText(file);
      } catch {
        return undefined;
      }
      for (const { inode, drops } of socketsAt(text, wanted)) bySocket.set(inode, drops);
      let sum = 0;
      for (const drops of bySocket.values()) sum += drops;
      return sum;
    },
  };
}

function* socketsAt(text: string, wanted: string): Generator<{ inode: string; drops: number }> {
  for (const line of text.split('\n')) {
    if (!line.includes(wanted)) continue;
    const columns = line.trim().split(/\s+/);
    const inode = columns[9];
    const drops = Number(columns[12]);
    if (columns[1] === wanted && inode !== undefined && Number.isFinite(drops)) yield { inode, drops };
  }
}

/** The kernel prints addresses as 32-bit words of the machine, in hexadecimal. */
export function procAddress(address: string, port: number): string {
  const bytes = isIPv6(address) ? ipv6Bytes(address) : address.split('.').map(Number);
  let text = '';
  for (let word = 0; word < bytes.length; word += 4) {
    const four = bytes.slice(word, word + 4);
    if (endianness() === 'LE') four.reverse();
    for (const byte of four) text += byte.toString(16).padStart(2, '0');
  }
  return `${text}:${port.toString(16).padStart(4, '0')}`.toUpperCase();
}

function ipv6Bytes(address: string): number[] {
  const [left = '', right] = (address.split('%')[0] ?? '').split('::');
  const head = groupsOf(left);
  const tail = right === undefined ? [] : groupsOf(right);
  const zeros = new Array<number>(Math.max(0, 8 - head.length - tail.length)).fill(0);
  return [...head, ...zeros, ...tail].flatMap((group) => [group >> 8, group & 0xff]);
}

function groupsOf(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [(a << 8) | b, (c << 8) | d];
  });
}
