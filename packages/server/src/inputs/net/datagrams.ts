import type { FrameSource } from '#core/index.ts';

/** Datagrams in the order in which they arrived: those from `from` on, before `to`. */
export interface Datagrams {
  readonly bytes: Buffer;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly sources: readonly FrameSource[];
  readonly from: number;
  readonly to: number;
  /** The bytes are overwritten after the call: copy what you keep. */
  readonly isReused: boolean;
}

export interface DatagramSink {
  receive(datagrams: Datagrams): void;
  /** The next datagram was larger than the receive buffer: its end is lost. */
  truncated(): void;
  /** No more datagrams for now: append what was received. */
  flush(): void;
}

/** A single datagram with its own memory. The object is reused for the next one. */
export class SingleDatagram implements Datagrams {
  bytes: Buffer = Buffer.alloc(0);
  readonly starts = Uint32Array.of(0);
  readonly ends = Uint32Array.of(0);
  readonly sources: FrameSource[] = [];
  readonly from = 0;
  readonly to = 1;
  readonly isReused = false;

  of(datagram: Buffer, source: FrameSource): this {
    this.bytes = datagram;
    this.ends[0] = datagram.length;
    this.sources[0] = source;
    return this;
  }
}
