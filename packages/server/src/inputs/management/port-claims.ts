/**
 * Which input of this node has which port.
 *
 * All workers listen on the same port with `SO_REUSEPORT`, and the kernel lets any process of the same user do the
 * same. Two inputs, or two nodes on one machine, would then share a port unnoticed and each get some of the
 * messages. So the inputs of a node are compared with each other, and before the workers listen, the port is taken
 * for a moment without that option, which fails when any other program has it.
 */
import { errorMessage } from '#core/index.ts';
import type { InputTransport } from '../input.ts';
import { probePort } from '../net/probe.ts';

export interface PortWish {
  readonly inputId: string;
  /** For messages to people. */
  readonly title: string;
  readonly transport: InputTransport;
  readonly address: string;
  /** 0: any free one. */
  readonly port: number;
}

export type PortClaim =
  | { readonly kind: 'claimed'; readonly port: number }
  | { readonly kind: 'taken'; readonly reason: string };

export interface PortClaims {
  /** The port for this input. While the wanted port is the same, so is the answer, without another check. */
  claim(wish: PortWish): Promise<PortClaim>;
  /** Whether the input has a port that it no longer wants. */
  isOutdated(inputId: string, wish: PortWish | undefined): boolean;
  /** The input no longer listens. */
  release(inputId: string): void;
}

/** Resolves with the port when no other program has it. Rejects with a message for people. */
export type ProbePort = (transport: InputTransport, address: string, port: number) => Promise<number>;

interface Held extends PortWish {
  readonly claimedPort: number;
}

export function createPortClaims(probe: ProbePort = probePort): PortClaims {
  const held = new Map<string, Held>();
  return {
    async claim(wish) {
      const own = held.get(wish.inputId);
      if (own !== undefined && isSameWish(own, wish)) return { kind: 'claimed', port: own.claimedPort };
      held.delete(wish.inputId);
      const rival = [...held.values()].find((other) => collide(other, wish));
      if (rival !== undefined) return { kind: 'taken', reason: takenByInput(wish, rival) };
      try {
        const claimedPort = await probe(wish.transport, wish.address, wish.port);
        held.set(wish.inputId, { ...wish, claimedPort });
        return { kind: 'claimed', port: claimedPort };
      } catch (error) {
        return { kind: 'taken', reason: errorMessage(error) };
      }
    },
    isOutdated(inputId, wish) {
      const own = held.get(inputId);
      return own !== undefined && (wish === undefined || !isSameWish(own, wish));
    },
    release: (inputId) => void held.delete(inputId),
  };
}

function isSameWish(held: Held, wish: PortWish): boolean {
  return held.transport === wish.transport && held.address === wish.address && held.port === wish.port;
}

function collide(held: Held, wish: PortWish): boolean {
  if (held.transport !== wish.transport || held.claimedPort !== wish.port) return false;
  return held.address === wish.address || isAnyAddress(held.address) || isAnyAddress(wish.address);
}

function isAnyAddress(address: string): boolean {
  return address === '0.0.0.0' || address === '::';
}

function takenByInput({ transport, address, port }: PortWish, rival: Held): string {
  return `${transport.toUpperCase()} port ${port} on ${address} belongs to the input "${rival.title}" (${rival.inputId}). Choose another port, or stop that input.`;
}
