import { networkInterfaces } from 'node:os';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Senders } from './senders.ts';

function ipv4(bytes: readonly number[], port: number): Buffer {
  const memory = Buffer.alloc(32);
  memory.writeUInt16LE(2, 0);
  memory.writeUInt16BE(port, 2);
  memory.set(bytes, 4);
  return memory;
}

function ipv6(groups: readonly number[], port: number, scope = 0): Buffer {
  const memory = Buffer.alloc(32);
  memory.writeUInt16LE(10, 0);
  memory.writeUInt16BE(port, 2);
  for (const [i, group] of groups.entries()) memory.writeUInt16BE(group, 8 + i * 2);
  memory.writeUInt32LE(scope, 24);
  return memory;
}

describe('Senders', () => {
  it('has one source for one sender, however it is called', () => {
    const senders = new Senders({ inputId: 'input', codecId: 7 });
    const source = senders.of('192.0.2.1', 12201);
    expect(source).toEqual({ inputId: 'input', remoteAddress: '192.0.2.1', remotePort: 12201, codecId: 7 });
    expect(senders.of('192.0.2.1', 12202)).not.toBe(source);
    expect(senders.of('192.0.2.1', 12201)).toBe(source);
    expect(senders.atSocketAddress(ipv4([192, 0, 2, 1], 12201), 0)).toBe(source);
    expect(senders.atSocketAddress(ipv4([192, 0, 2, 2], 12201), 0)).not.toBe(source);
    expect(senders.atSocketAddress(ipv4([192, 0, 2, 1], 12201), 0)).toBe(source);
  });

  it('writes IPv6 addresses as everybody does', () => {
    const senders = new Senders({ inputId: 'input', codecId: 7 });
    const text = (groups: readonly number[], scope?: number) =>
      senders.atSocketAddress(ipv6(groups, 1, scope), 0).remoteAddress;
    expect(text([0, 0, 0, 0, 0, 0, 0, 1])).toBe('::1');
    expect(text([0x2001, 0xdb8, 0, 0, 1, 0, 0, 0xab])).toBe('2001:db8::1:0:0:ab');
    expect(text([0, 0, 0, 0, 0, 0xffff, 0xc000, 0x0201])).toBe('192.0.2.1');
    expect(text([0xfe80, 0, 0, 0, 0, 0, 0, 1])).toBe('fe80::1');
    expect(text([0xfe80, 0, 0, 0, 0, 0, 0, 1], 4_000_000_000)).toBe('fe80::1%4000000000');
  });

  it('names the interface of an address of the own link', () => {
    const found = Object.entries(networkInterfaces()).flatMap(([name, addresses = []]) =>
      addresses.flatMap((each) => (each.family === 'IPv6' && each.scopeid > 0 ? [[name, each.scopeid]] : [])),
    );
    const senders = new Senders({ inputId: 'input', codecId: 7 });
    for (const [name, scope] of found) {
      const { remoteAddress } = senders.atSocketAddress(
        ipv6([0xfe80, 0, 0, 0, 0, 0, 0, 9], 1, Number(scope)),
        0,
      );
      expect(remoteAddress).toBe(`fe80::9%${name}`);
    }
    // The scope means nothing for any other address.
    expect(senders.atSocketAddress(ipv6([0x2001, 0, 0, 0, 0, 0, 0, 9], 1, 1), 0).remoteAddress).toBe(
      '2001::9',
    );
  });

  it('never mixes up two senders', () => {
    const byte = fc.integer({ min: 0, max: 255 });
    const sender = fc.tuple(
      fc.array(byte, { minLength: 4, maxLength: 4 }),
      fc.integer({ min: 1, max: 65_535 }),
    );
    fc.assert(
      fc.property(fc.array(sender, { maxLength: 50 }), (sent) => {
        const senders = new Senders({ inputId: 'input', codecId: 7 });
        for (const [bytes, port] of [...sent, ...sent]) {
          expect(senders.atSocketAddress(ipv4(bytes, port), 0)).toEqual({
            inputId: 'input',
            remoteAddress: bytes.join('.'),
            remotePort: port,
            codecId: 7,
          });
        }
      }),
    );
  });

  it('forgets when a spoofer makes up too many', () => {
    const senders = new Senders({ inputId: 'input', codecId: 7 });
    const first = senders.atSocketAddress(ipv4([10, 0, 0, 1], 1), 0);
    for (let i = 0; i < 10_000; i++) senders.atSocketAddress(ipv4([11, 0, i >> 8, i & 255], 1), 0);
    const again = senders.atSocketAddress(ipv4([10, 0, 0, 1], 1), 0);
    expect(again).toEqual(first);
    expect(again).not.toBe(first);
  });
});
