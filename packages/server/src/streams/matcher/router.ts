import type {
  Clock,
  FaultCounter,
  FieldLayout,
  FieldValue,
  Message,
  RoutingTarget,
  TimeGuard,
} from '#core/index.ts';
import { isBlankText, numberOf, timeText, trimmed } from '../rules/values.ts';
import type { LiteralIndex } from './literal-index.ts';
import type { Entry, FieldAccess, FieldBinding, RoutingPlan } from './plan.ts';
import type { RoutingTargets } from './routing-targets.ts';

/**
 * Routes batches of messages by a plan.
 *
 * Most rules cannot take long on most values, and that is known beforehand (`regex-cost.ts`). A stream that needs a
 * rule that could exceed the time limit is set aside. All such pairs of message and stream of a batch are matched
 * afterwards, under one time guard. When the guard interrupts, the current pair has used up the limit: it does not
 * match, a fault is recorded, and matching continues with the next pair. So ordinary messages pay nothing for the
 * limit, and the limit is real.
 */
export interface StreamRouter {
  /** Adds the streams that match message `i` to `targets[i]`. */
  route(messages: readonly Message[], targets: RoutingTarget[]): void;
}

export interface RouterDeps {
  readonly guard: TimeGuard;
  /** For durations. */
  readonly monotonic: Clock;
  /** By the id of the stream. One with too many faults matches nothing any more. */
  readonly faults: FaultCounter;
  /** Made for the streams of the plan, in their order. */
  readonly targets: RoutingTargets;
}

export interface RouterSettings {
  /** What the rules of one stream may take for one message. */
  readonly timeoutMs: number;
}

const UNKNOWN = 2;
const HOLDS = 1;
const FAILS = 0;
const LAST_GENERATION = 2 ** 31 - 2;

/** A message with streams that cannot be decided without the guard. */
interface Deferred {
  readonly index: number;
  readonly message: Message;
  readonly matched: number[];
  readonly undecided: readonly number[];
}

export function createStreamRouter(
  deps: RouterDeps,
  plan: RoutingPlan,
  settings: RouterSettings,
): StreamRouter {
  return new PlanRouter(deps, plan, settings);
}

class PlanRouter implements StreamRouter {
  readonly #deps: RouterDeps;
  readonly #plan: RoutingPlan;
  readonly #timeoutMs: number;

  /** Marks equal to the generation belong to the current message; all others are outdated. */
  #generation = 0;
  readonly #values: (FieldValue | undefined)[];
  readonly #valueMark: Int32Array;
  readonly #truth: Uint8Array;
  readonly #truthMark: Int32Array;
  readonly #matchedMark: Int32Array;
  readonly #undecidedMark: Int32Array;
  /** The fields of the current message that rules look at. */
  readonly #present: number[] = [];
  #presentCount = 0;
  readonly #matched: number[] = [];
  #matchedCount = 0;
  /** The streams that can have faults, and for each stream 1 if it has too many. */
  readonly #faultable: readonly number[];
  readonly #isOff: Uint8Array;
  readonly #candidates: Entry[] = [];
  #undecided: number[] = [];

  #lastLayout: FieldLayout | undefined = undefined;
  #lastBinding: FieldBinding = { fields: [], positions: [] };
  #lastInput: string | undefined = undefined;
  #lastInputEntry: Entry | undefined = undefined;

  constructor(deps: RouterDeps, plan: RoutingPlan, settings: RouterSettings) {
    this.#deps = deps;
    this.#plan = plan;
    this.#timeoutMs = settings.timeoutMs;
    this.#values = new Array(plan.fields.length).fill(undefined);
    this.#valueMark = new Int32Array(plan.fields.length);
    this.#truth = new Uint8Array(plan.entries.length);
    this.#truthMark = new Int32Array(plan.entries.length);
    this.#matchedMark = new Int32Array(plan.streams.length);
    this.#undecidedMark = new Int32Array(plan.streams.length);
    this.#isOff = new Uint8Array(plan.streams.length);
    this.#faultable = plan.streams.flatMap(({ rules }, position) =>
      rules.some(({ predicate }) => predicate.mayTakeLong) ? position : [],
    );
  }

  route(messages: readonly Message[], targets: RoutingTarget[]): void {
    const catalogue = this.#deps.targets;
    const { defaultTarget } = catalogue;
    const deferred: Deferred[] = [];
    this.#leaveOutFaulted();
    for (let index = 0; index < messages.length; index++) {
      const message = messages[index];
      if (message === undefined) continue;
      this.#take(message);
      this.#lookUpRules(message);
      this.#testRules();
      const undecided = this.#undecided.length === 0 ? NOTHING : this.#stillUndecided();
      if (undecided.length > 0) {
        const matched = this.#matched.slice(0, this.#matchedCount);
        deferred.push({ index, message, matched, undecided });
        continue;
      }
      const before = targets[index] ?? defaultTarget;
      targets[index] = catalogue.withMatches(before, this.#matched, this.#matchedCount);
    }
    if (deferred.length > 0) this.#decideGuarded(deferred, targets);
  }

  /** Until a snapshot without them arrives, which takes long if the database is away. */
  #leaveOutFaulted(): void {
    for (const stream of this.#faultable) {
      this.#isOff[stream] = this.#deps.faults.isExceeded(this.#idOf(stream)) ? 1 : 0;
    }
  }

  /** Makes this the current message and finds the fields that rules look at. */
  #take(message: Message): void {
    if (this.#generation >= LAST_GENERATION) this.#resetMarks();
    this.#generation += 1;
    this.#presentCount = 0;
    this.#matchedCount = 0;
    if (this.#undecided.length > 0) this.#undecided = [];
    if (message.layout !== this.#lastLayout) {
      // Both after the call, where the time guard may end this.
      const binding = this.#plan.bind(message.layout);
      this.#lastLayout = message.layout;
      this.#lastBinding = binding;
    }
    const { fields, positions } = this.#lastBinding;
    for (let index = 0; index < fields.length; index++) {
      this.#setValue(fields[index] ?? 0, message.valueAt(positions[index] ?? 0));
    }
    const { builtIn } = this.#plan;
    for (let index = 0; index < builtIn.length; index++) {
      const reader = builtIn[index];
      if (reader !== undefined) this.#setValue(reader.field, reader.read(message));
    }
  }

  #setValue(field: number, value: FieldValue | undefined): void {
    if (value === undefined) return;
    this.#values[field] = value;
    this.#valueMark[field] = this.#generation;
    this.#present[this.#presentCount++] = field;
  }

  #valueOf(field: number): FieldValue | undefined {
    return field >= 0 && this.#valueMark[field] === this.#generation ? this.#values[field] : undefined;
  }

  #resetMarks(): void {
    for (const marks of [this.#valueMark, this.#truthMark, this.#matchedMark, this.#undecidedMark]) {
      marks.fill(0);
    }
    this.#generation = 0;
  }

  /** Finds rules by look-up: by input, value, threshold or presence of a field. */
  #lookUpRules(message: Message): void {
    if (this.#plan.inputs.size > 0) {
      const { inputId } = message.origin;
      if (inputId !== this.#lastInput) {
        this.#lastInput = inputId;
        this.#lastInputEntry = this.#plan.inputs.get(trimmed(inputId).toLowerCase());
      }
      if (this.#lastInputEntry !== undefined) this.#fire(this.#lastInputEntry);
    }
    for (let index = 0; index < this.#presentCount; index++) {
      const field = this.#present[index] ?? 0;
      const access = this.#plan.fields[field];
      const value = this.#values[field];
      if (access !== undefined && value !== undefined) this.#lookUp(access, value);
    }
  }

  #lookUp(access: FieldAccess, value: FieldValue): void {
    if (access.exact.size > 0) {
      const entry = access.exact.get(trimmed(textOf(access, value)));
      if (entry !== undefined) this.#fire(entry);
    }
    if (access.presence.length > 0 && (typeof value !== 'string' || !isBlankText(value))) {
      for (const entry of access.presence) this.#fire(entry);
    }
    if (access.greater.length + access.smaller.length === 0) return;
    const number = numberOf(value);
    if (number === undefined) return;
    for (const entry of access.greater) {
      if (!(number > entry.predicate.number)) break;
      this.#fire(entry);
    }
    for (const entry of access.smaller) {
      if (!(number < entry.predicate.number)) break;
      this.#fire(entry);
    }
  }

  /** Tests the rules that cannot be looked up, one by one. */
  #testRules(): void {
    const { unconditional, fields } = this.#plan;
    for (let index = 0; index < unconditional.length; index++) this.#test(unconditional[index]);
    for (let index = 0; index < this.#presentCount; index++) {
      const field = this.#present[index] ?? 0;
      const access = fields[field];
      if (access === undefined) continue;
      const { tests, literals } = access;
      if (literals !== undefined) this.#testCandidates(access, literals, this.#values[field]);
      for (let position = 0; position < tests.length; position++) this.#test(tests[position]);
    }
  }

  #testCandidates(access: FieldAccess, literals: LiteralIndex<Entry>, value: FieldValue | undefined): void {
    if (value === undefined) return;
    const count = literals.find(textOf(access, value), this.#candidates);
    for (let index = 0; index < count; index++) this.#test(this.#candidates[index]);
  }

  #test(entry: Entry | undefined): void {
    if (entry === undefined || !this.#isWanted(entry)) return;
    const truth = this.#truthOf(entry);
    if (truth === HOLDS) this.#fire(entry);
    else if (truth === UNKNOWN) {
      for (const stream of entry.matches) this.#setAside(stream);
      for (const stream of entry.opens) {
        if (this.#restOf(stream) !== FAILS) this.#setAside(stream);
      }
    }
  }

  /** Whether some stream still depends on this rule. */
  #isWanted(entry: Entry): boolean {
    if (entry.opens.length > 0) return true;
    for (const stream of entry.matches) {
      if (this.#matchedMark[stream] !== this.#generation) return true;
    }
    return false;
  }

  /** The rule holds: some streams match now, others still need their remaining rules. */
  #fire(entry: Entry): void {
    const { matches, opens } = entry;
    for (let index = 0; index < matches.length; index++) this.#match(matches[index] ?? 0);
    for (let index = 0; index < opens.length; index++) {
      const stream = opens[index] ?? 0;
      const rest = this.#restOf(stream);
      if (rest === HOLDS) this.#match(stream);
      else if (rest === UNKNOWN) this.#setAside(stream);
    }
  }

  /** Whether all rules hold apart from the one by which the stream was found. */
  #restOf(stream: number): number {
    const rest = this.#plan.streams[stream]?.rest ?? NO_ENTRIES;
    let result = HOLDS;
    for (let index = 0; index < rest.length; index++) {
      const entry = rest[index];
      const truth = entry === undefined ? FAILS : this.#truthOf(entry);
      if (truth === FAILS) return FAILS;
      if (truth === UNKNOWN) result = UNKNOWN;
    }
    return result;
  }

  #truthOf(entry: Entry): number {
    const { index, predicate } = entry;
    if (this.#truthMark[index] === this.#generation) return this.#truth[index] ?? FAILS;
    const value = this.#valueOf(entry.field);
    const truth = predicate.isQuick(value) ? truthOf(predicate.evaluate(value)) : UNKNOWN;
    this.#truth[index] = truth;
    this.#truthMark[index] = this.#generation;
    return truth;
  }

  #match(stream: number): void {
    if (this.#matchedMark[stream] === this.#generation || this.#isOff[stream] === 1) return;
    this.#matchedMark[stream] = this.#generation;
    this.#matched[this.#matchedCount++] = stream;
  }

  #setAside(stream: number): void {
    if (this.#undecidedMark[stream] === this.#generation || this.#isOff[stream] === 1) return;
    this.#undecidedMark[stream] = this.#generation;
    this.#undecided.push(stream);
  }

  /** A stream that needs only one rule may have matched by another one since. */
  #stillUndecided(): number[] {
    return this.#undecided.filter((stream) => this.#matchedMark[stream] !== this.#generation);
  }

  #decideGuarded(deferred: readonly Deferred[], targets: RoutingTarget[]): void {
    const pairs = deferred.flatMap((entry) => entry.undecided.map((stream) => ({ entry, stream })));
    const outcomes = this.#matchGuarded(pairs);
    for (const [index, { entry, stream }] of pairs.entries()) {
      if (outcomes[index] === HOLDS) entry.matched.push(stream);
    }
    const catalogue = this.#deps.targets;
    for (const { index, matched } of deferred) {
      const before = targets[index] ?? catalogue.defaultTarget;
      targets[index] = catalogue.withMatches(before, matched, matched.length);
    }
  }

  /**
   * The guard is armed again whenever a twentieth of the limit has passed, so each pair has the whole limit and at most
   * a twentieth more.
   */
  #matchGuarded(pairs: readonly { readonly entry: Deferred; readonly stream: number }[]): Uint8Array {
    const { guard, monotonic, faults } = this.#deps;
    const outcomes = new Uint8Array(pairs.length);
    const slackMs = Math.max(1, this.#timeoutMs / 20);
    let current = 0;
    /** The pair that is being matched, or -1. */
    let running = -1;
    let interruptions = 0;
    const work = () => {
      const armedAt = monotonic.now();
      let taken: Message | undefined;
      for (; current < pairs.length && monotonic.now() - armedAt < slackMs; current++) {
        const pair = pairs[current];
        if (pair === undefined) return;
        if (pair.entry.message !== taken) {
          taken = pair.entry.message;
          this.#take(taken);
        }
        if (faults.isExceeded(this.#idOf(pair.stream))) continue;
        interruptions = 0;
        running = current;
        const outcome = this.#decide(pair.stream);
        running = -1;
        outcomes[current] = outcome === HOLDS ? HOLDS : FAILS;
        if (outcome === UNKNOWN) faults.record(this.#idOf(pair.stream));
      }
    };
    while (current < pairs.length) {
      if (guard.repeat(work, this.#timeoutMs + slackMs)) continue;
      const pair = pairs[running];
      if (pair !== undefined) {
        outcomes[running] = FAILS;
        faults.record(this.#idOf(pair.stream));
        current = running + 1;
      } else if (++interruptions > 1) {
        // Nothing between two pairs takes this long, but the loop must end in any case.
        current += 1;
      }
      running = -1;
    }
    return outcomes;
  }

  /** Matches the whole stream against the current message, however long it takes. Unknown: a rule gave up. */
  #decide(stream: number): number {
    const { definition, rules } = this.#plan.streams[stream] ?? { rules: NO_ENTRIES };
    const isOr = definition?.matchingType === 'OR';
    for (const { predicate, field } of rules) {
      const result = predicate.evaluate(this.#valueOf(field));
      if (result === undefined) return UNKNOWN;
      if (result === isOr) return isOr ? HOLDS : FAILS;
    }
    return isOr ? FAILS : HOLDS;
  }

  #idOf(stream: number): string {
    return this.#plan.streams[stream]?.definition.id ?? '';
  }
}

const NOTHING: readonly number[] = [];
const NO_ENTRIES: readonly Entry[] = [];

function truthOf(result: boolean | undefined): number {
  if (result === undefined) return UNKNOWN;
  return result ? HOLDS : FAILS;
}

function textOf(access: FieldAccess, value: FieldValue): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' && isTime(access) ? timeText(value) : String(value);
}

function isTime(access: FieldAccess): boolean {
  return access.name === 'timestamp' || access.name === 'gl2_receive_timestamp';
}
