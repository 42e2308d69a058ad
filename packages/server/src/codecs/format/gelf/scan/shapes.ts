import { type FieldLayout, type FrameShape, STAGED_TYPE } from '#core/index.ts';
import { KEY, type KeyKind, type KeyNode, type KeyTree } from '../keys.ts';
import type { GelfNote } from '../notes.ts';
import { MAX_FIELDS, type ScannerMemory } from './scanner-memory.ts';

/** A sequence of keys and types that plain frames have. Numbers of tokens count from the first one of the frame. */
export interface Shape extends FrameShape {
  /** -1 when there is none, as for the level and the full message. */
  readonly timestamp: number;
  readonly level: number;
  readonly source: number;
  readonly message: number;
  readonly fullMessage: number;
  /** The encoder would write nothing else, so such frames may be sent on as they came. */
  readonly isComplete: boolean;
  /** What the decoder notes about such frames. */
  readonly notes: readonly GelfNote[];
  /** The token of each position of the layout. */
  readonly tokens: Uint16Array;
}

/** `JSON.parse` puts such keys before all others, so that the decoder would have the fields in another order. */
const ORDERED_FIRST = /^[0-9]+$/;
/** A sequence of keys is looked at when it has come so often. */
const FRAMES_TO_LEARN = 2;
const NO_FIELD = 0xffff;
const NO_TOKEN = 0xffffffff;
const KIND_FIELD = 1;
const KIND_REFUSED = 255;
const SHAPE_REFUSED = 1;

/** The types of what is no additional field; `null` is as if the key were missing. Other keys are not for the scanner. */
const TYPES: ReadonlyMap<KeyKind, number> = new Map<KeyKind, number>([
  [KEY.version, STAGED_TYPE.text],
  [KEY.host, STAGED_TYPE.text],
  [KEY.shortMessage, STAGED_TYPE.text],
  [KEY.fullMessage, STAGED_TYPE.text],
  [KEY.timestamp, STAGED_TYPE.number],
  [KEY.level, STAGED_TYPE.number],
]);
/** Without these, what is in their place is up to the decoder. */
const REQUIRED = [KEY.host, KEY.shortMessage];
/** Without these, messages have fixed values or the time of receipt. */
const EXPECTED = [KEY.version, KEY.timestamp, KEY.level];
/** What the decoder notes where there is no such key. */
const NOTES_OF_MISSING: ReadonlyMap<KeyKind, GelfNote> = new Map<KeyKind, GelfNote>([
  [KEY.version, 'unexpected_version'],
  [KEY.timestamp, 'timestamp_missing'],
]);

interface Key {
  readonly node: number;
  readonly kind: KeyKind;
  readonly type: number;
}

/** What sequences of keys mean, told to the scanner. */
export class Shapes {
  readonly #memory: ScannerMemory;
  readonly #keys: KeyTree;
  /** By their last nodes. */
  #shapes: (Shape | undefined)[] = [];
  #fieldNumbers = new Map<string, number>();
  #fieldNames: string[] = [];
  #end: number;
  #isFull = false;

  constructor(memory: ScannerMemory, keys: KeyTree) {
    this.#memory = memory;
    this.#keys = keys;
    this.#end = memory.shapes.start;
  }

  get(node: number): Shape | undefined {
    return this.#shapes[node];
  }

  fieldName(number: number): string {
    return this.#fieldNames[number] ?? '';
  }

  /** Begins anew when there is no room for more: senders that always send other keys must not keep others out. */
  makeRoom(): void {
    if (!this.#isFull && this.#memory.exports.hasRoom() !== 0) return;
    this.#memory.exports.forgetKeys();
    this.#shapes = [];
    this.#fieldNumbers = new Map();
    this.#fieldNames = [];
    this.#end = this.#memory.shapes.start;
    this.#isFull = false;
  }

  /** Looks at the keys of a frame that ended with this node, so that the next such frame can be read. */
  learnIfFrequent(node: number): void {
    if (this.#isFull || this.#memory.framesOf(node) < FRAMES_TO_LEARN || this.#memory.shapeOf(node) !== 0)
      return;
    const nodes = this.#nodesTo(node);
    const names = nodes.map((each) => this.#memory.keyOf(each));
    const members = Object.fromEntries(names.map((name) => [name, true]));
    const known = new Set<string>();
    let place = this.#keys.root();
    const keys: Key[] = [];
    for (const [index, each] of nodes.entries()) {
      const name = names[index] ?? '';
      const isAgain = known.has(name);
      known.add(name);
      if (!isAgain) place = this.#keys.step(place, name, members);
      const { kind } = place;
      const type = this.#memory.typeOf(each);
      if (isAgain || !isRead(kind, type) || ORDERED_FIRST.test(name)) {
        this.#memory.setKind(each, KIND_REFUSED);
        this.#memory.setShape(node, SHAPE_REFUSED);
        return;
      }
      keys.push({ node: each, kind, type });
    }
    if (missingOf(REQUIRED, keys).length > 0) this.#memory.setShape(node, SHAPE_REFUSED);
    else this.#add(node, keys, place);
  }

  #nodesTo(last: number): number[] {
    const nodes: number[] = [];
    for (let node = last; node !== 0; node = this.#memory.parentOf(node)) nodes.push(node);
    return nodes.reverse();
  }

  #add(node: number, keys: readonly Key[], { layout, isClean }: KeyNode): void {
    const fields: number[] = keys.map(() => NO_FIELD);
    const tokens = keys.flatMap(({ kind }, token) => (kind === KEY.field ? token : []));
    const words = 4 + Math.ceil(keys.length / 2);
    if (this.#end + words * 4 > this.#memory.shapes.end || !this.#numberFields(layout)) {
      this.#isFull = true;
      return;
    }
    for (const [position, token] of tokens.entries()) {
      if (hasValue(keys[token]))
        fields[token] = this.#fieldNumbers.get(layout.names[position] ?? '') ?? NO_FIELD;
    }
    const tokenOf = (kind: KeyKind) => keys.findIndex((key) => key.kind === kind && hasValue(key));
    const missing = missingOf(EXPECTED, keys);
    const shape: Shape = {
      layout,
      types: Uint8Array.from(tokens, (token) => keys[token]?.type ?? 0),
      tokens: Uint16Array.from(tokens),
      timestamp: tokenOf(KEY.timestamp),
      level: tokenOf(KEY.level),
      source: tokenOf(KEY.host),
      message: tokenOf(KEY.shortMessage),
      fullMessage: tokenOf(KEY.fullMessage),
      isComplete: isClean && missing.length === 0 && keys.every(hasValue),
      notes: missing.flatMap((kind) => NOTES_OF_MISSING.get(kind) ?? []),
    };
    const fullMessage = shape.fullMessage < 0 ? NO_TOKEN : shape.fullMessage;
    this.#memory.writeShape(this.#end, [keys.length, shape.source, shape.message, fullMessage], fields);
    for (const key of keys) {
      const isAnyValue = key.kind === KEY.field || !hasValue(key);
      this.#memory.setKind(key.node, isAnyValue ? KIND_FIELD : key.kind);
    }
    this.#memory.setShape(node, this.#end);
    this.#end += words * 4;
    this.#shapes[node] = shape;
  }

  /** False when there are too many different fields. */
  #numberFields({ names }: FieldLayout): boolean {
    for (const name of names) {
      if (this.#fieldNumbers.has(name)) continue;
      if (this.#fieldNames.length === MAX_FIELDS) return false;
      this.#fieldNumbers.set(name, this.#fieldNames.length);
      this.#fieldNames.push(name);
    }
    return true;
  }
}

function isRead(kind: KeyKind, type: number): boolean {
  if (kind === KEY.field) return true;
  const expected = TYPES.get(kind);
  return expected !== undefined && (type === expected || type === STAGED_TYPE.none);
}

function hasValue(key: Key | undefined): boolean {
  return key !== undefined && key.type !== STAGED_TYPE.none;
}

function missingOf(kinds: readonly KeyKind[], keys: readonly Key[]): KeyKind[] {
  return kinds.filter((kind) => !keys.some((key) => key.kind === kind && hasValue(key)));
}
