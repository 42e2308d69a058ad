import { readFileSync } from 'node:fs';
import path from 'node:path';

const MIB = 1024 ** 2;
/** Where the kernel does not tell: Linux grows both buffers to 10 MiB at most by default. */
const LEAST_BYTES = 16 * MIB;
/** What this process, TLS and programs between the two ends hold. */
const MARGIN_BYTES = 4 * MIB;

/**
 * More bytes than the kernels of both ends of a TCP connection hold: the largest send buffer and the largest receive
 * buffer. The other end is taken to be tuned as this one is.
 */
export function mostBufferedBytes(directory = '/proc/sys/net/ipv4'): number {
  const [send, receive] = ['tcp_wmem', 'tcp_rmem'].map((name) => largest(path.join(directory, name)));
  if (send === undefined || receive === undefined) return LEAST_BYTES;
  return Math.max(LEAST_BYTES, send + receive + MARGIN_BYTES);
}

/** The third of `min default max`. */
function largest(file: string): number | undefined {
  try {
    const bytes = Number(readFileSync(file, 'utf8').trim().split(/\s+/)[2]);
    return Number.isSafeInteger(bytes) && bytes > 0 ? bytes : undefined;
  } catch {
    return undefined;
  }
}
