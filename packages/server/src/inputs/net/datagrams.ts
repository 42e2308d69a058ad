import type { FrameSource } from '#core/index.ts';

/** Datagrams in the order in which they arrived: those from `from` on, before `to`. */
export interface Datagrams {
  readonly bytes: Buffer;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly sources: readonly FrameSource[];
  readonly from: number;
  readonly to: number;
  /** The bytes are written over after the call: copy what has to be kept. */
  readonly isReused: boolean;
}

export interface DatagramSink {
  receive(datagrams: Datagrams): void;
  /** The next datagram to be received had more bytes than anybody has room for; they are lost. */
  truncated(): void;
  /** Nothing more for now: what was received should go on its way. */
  flush(): void;
}

/** A single datagram with memory of its own. The object is used again for the next one. */
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
