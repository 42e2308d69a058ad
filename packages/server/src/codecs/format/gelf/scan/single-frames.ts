import type { KeyTree } from '../keys.ts';
import { ROW, ScannerMemory, warnThatScanningFails } from './scanner-memory.ts';
import { Shapes } from './shapes.ts';

/** Longer ones would leave their sender's input with as much more memory, and are rare. */
const MAX_FRAME_BYTES = 65_536;

/** Looks at frames one by one, which takes a fraction of the time of decoding them. */
export class SingleFrames {
  readonly #keys: KeyTree;
  #memory: ScannerMemory | undefined;
  #shapes: Shapes | undefined;
  #isBroken = false;

  constructor(keys: KeyTree) {
    this.#keys = keys;
  }

  /** True: the decoder makes a message of the frame. False says nothing. */
  isMessage(frame: Buffer): boolean {
    if (this.#isBroken || frame.length > MAX_FRAME_BYTES) return false;
    try {
      return this.#isMessage(frame);
    } catch (error) {
      this.#isBroken = true;
      warnThatScanningFails(error);
      return false;
    }
  }

  #isMessage(frame: Buffer): boolean {
    this.#memory ??= new ScannerMemory();
    const memory = this.#memory;
    this.#shapes ??= new Shapes(memory, this.#keys);
    this.#shapes.makeRoom();
    memory.beginBatch();
    const start = memory.addFrames(frame, 0, frame.length);
    if (start < 0) return false;
    memory.setFrame(0, start, start + frame.length);
    memory.exports.scan(0, 1);
    const status = memory.statusOf(0);
    if (status === ROW.newShape) this.#shapes.learnIfFrequent(memory.nodeOf(0));
    return status === ROW.read;
  }
}
