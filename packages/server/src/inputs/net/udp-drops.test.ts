import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { endianness } from 'node:os';
import { describe, expect, it } from 'vitest';
import { createKernelDrops, procAddress } from './udp-drops.ts';

const HEADER =
  '   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops\n';

function line(address: string, inode: number, drops: number): string {
  return `  66: ${address} 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 ${inode} 2 0000000000000000 ${drops}        \n`;
}

describe('createKernelDrops', () => {
  it('adds up the sockets of its address and nobody else', async () => {
    const own = procAddress('127.0.0.1', 12201);
    const text =
      HEADER +
      line(own, 1, 5) +
      line(own, 2, 7) +
      line(procAddress('127.0.0.1', 12202), 3, 100) +
      line(procAddress('0.0.0.0', 12201), 4, 100);
    expect(await createKernelDrops('127.0.0.1', 12201, async () => text).read()).toBe(12);
  });

  it('keeps what a socket that is closed had dropped', async () => {
    const own = procAddress('127.0.0.1', 12201);
    let text = HEADER + line(own, 1, 5) + line(own, 2, 7);
    const drops = createKernelDrops('127.0.0.1', 12201, async () => text);
    await drops.read();
    text = HEADER + line(own, 2, 8);
    expect(await drops.read()).toBe(13);
  });

  it('has no figure where the kernel has none, and survives lines it does not understand', async () => {
    const missing = createKernelDrops('127.0.0.1', 1, () => Promise.reject(new Error('ENOENT')));
    expect(await missing.read()).toBeUndefined();
    const strange = createKernelDrops(
      '127.0.0.1',
      1,
      async () => `${procAddress('127.0.0.1', 1)} nonsense\n\n`,
    );
    expect(await strange.read()).toBe(0);
  });

  it('writes addresses as the kernel does', () => {
    const little = endianness() === 'LE';
    expect(procAddress('127.0.0.1', 12201)).toBe(little ? '0100007F:2FA9' : '7F000001:2FA9');
    expect(procAddress('::', 80)).toBe('00000000000000000000000000000000:0050');
    expect(procAddress('::1', 80)).toBe(
      little ? '00000000000000000000000001000000:0050' : '00000000000000000000000000000001:0050',
    );
    expect(procAddress('2001:db8::1:2', 80)).toBe(
      little ? 'B80D0120000000000000000002000100:0050' : '20010DB8000000000000000000010002:0050',
    );
  });

  it.runIf(process.platform === 'linux')(
    'sees the drops of a real socket that nobody reads in time',
    async () => {
      const receiver = createSocket({ type: 'udp4', recvBufferSize: 4096 });
      receiver.bind(0, '127.0.0.1');
      await once(receiver, 'listening');
      const { port } = receiver.address();
      const drops = createKernelDrops('127.0.0.1', port);
      expect(await drops.read()).toBe(0);
      const sender = createSocket('udp4');
      let sent = 0;
      await new Promise<void>((resolve) => {
        // All in one turn of the event loop, so that nothing is read meanwhile.
        for (let i = 0; i < 200; i++) {
          sender.send(Buffer.alloc(1000), port, '127.0.0.1', () => {
            sent += 1;
            if (sent === 200) resolve();
          });
        }
      });
      expect(await drops.read()).toBeGreaterThan(0);
      sender.close();
      receiver.close();
    },
  );
});
