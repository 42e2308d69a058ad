import { BoundedMap, type FieldLayout, type FieldReader, fieldReader, type Message } from '#core/index.ts';
import { INPUT_FIELD, type Predicate, usablePredicate } from '../rules/predicate.ts';
import { RULE_TYPE, type StreamDefinition } from '../rules/rule.ts';
import { isIndexable, LiteralIndex } from './literal-index.ts';

/**
 * All streams compiled into one plan, once for each snapshot.
 *
 * Equal rules of different streams share one predicate, which is tested at most once for a message. Streams are not
 * tested one after the other; each is found by a rule that holds:
 *
 * - a stream that needs one rule (OR) is entered under all its rules and matches when one of them holds;
 * - a stream that needs all rules (AND) is entered under the rule that the fewest messages are likely to satisfy. When
 *   that one holds, the other rules are tested, cheap ones first.
 *
 * Rules are found by the fields of a message: equality by hash, greater and smaller by sorted thresholds, presence by
 * the field, `contains` and `regex` by a literal they need (`literal-index.ts`). Only inverted rules and regular
 * expressions without a literal are tested one by one. So a message pays only for streams that could match it.
 */
export interface RoutingPlan {
  readonly streams: readonly StreamPlan[];
  readonly entries: readonly Entry[];
  readonly fields: readonly FieldAccess[];
  /** The fields every message has, by the position in `fields`. */
  readonly builtIn: readonly { readonly field: number; readonly read: FieldReader }[];
  /** `match input`, by the id of the input in lower case. */
  readonly inputs: ReadonlyMap<string, Entry>;
  /** Rules that may hold whatever fields a message has: inverted ones and `always`. */
  readonly unconditional: readonly Entry[];
  /** The other fields of a layout that rules look at. */
  bind(layout: FieldLayout): FieldBinding;
}

export interface StreamPlan {
  readonly definition: StreamDefinition;
  /** Every rule, cheap ones first. Empty: the stream never matches. */
  readonly rules: readonly Entry[];
  /** AND only: what remains to be tested when the rule it is entered under holds. */
  readonly rest: readonly Entry[];
}

/** One predicate and the streams that are found by it. */
export interface Entry {
  readonly index: number;
  readonly predicate: Predicate;
  /** Whether it can be found by a literal it needs. */
  readonly hasLiteral: boolean;
  /** The position in `fields`; -1 when it does not look at a field. */
  readonly field: number;
  /** Streams that match as soon as it holds. */
  readonly matches: number[];
  /** Streams whose `rest` decides when it holds. */
  readonly opens: number[];
}

export interface FieldAccess {
  readonly name: string;
  readonly exact: Map<string, Entry>;
  /** By ascending threshold, so that those that hold come first. */
  readonly greater: Entry[];
  /** By descending threshold, for the same reason. */
  readonly smaller: Entry[];
  readonly presence: Entry[];
  /** Tested one by one. */
  readonly tests: Entry[];
  /** Tested when the text contains their literal. */
  readonly literals: LiteralIndex<Entry> | undefined;
}

/** A `FieldAccess` while streams are being added. */
interface FieldDraft extends Omit<FieldAccess, 'literals'> {
  readonly withLiteral: Entry[];
}

/** Value `positions[i]` of a message with this layout is field `fields[i]` of the plan. */
export interface FieldBinding {
  readonly fields: readonly number[];
  readonly positions: readonly number[];
}

export interface PlanSettings {
  /** What the rules of one stream may take for one message. */
  readonly timeoutMs: number;
  /** The value of `gl2_source_node`: the node that does the routing. */
  readonly nodeId: string;
}

/** The names `fieldReader` reads from the message itself. */
const BUILT_IN_FIELDS: ReadonlySet<string> = new Set([
  '_id',
  'timestamp',
  'source',
  'message',
  'full_message',
  'level',
  INPUT_FIELD,
  'gl2_remote_ip',
  'gl2_remote_port',
  'gl2_receive_timestamp',
]);
const NODE_FIELD = 'gl2_source_node';
const MAX_BINDINGS = 10_000;
/** Fewer rules than this are faster to test one by one. */
const MIN_LITERALS = 4;

export function compilePlan(streams: readonly StreamDefinition[], settings: PlanSettings): RoutingPlan {
  const builder = new PlanBuilder(settings);
  const compiled = [...streams]
    .sort((left, right) => (left.id < right.id ? -1 : 1))
    .map((definition) => builder.compile(definition));
  return builder.finish(compiled.map((stream, position) => builder.place(stream, position)));
}

/** A stream whose rules are compiled but not entered yet. */
interface CompiledStream {
  readonly definition: StreamDefinition;
  /** Cheap ones first. Empty: the stream never matches. */
  readonly rules: readonly Entry[];
}

class PlanBuilder {
  readonly #settings: PlanSettings;
  readonly #entries = new Map<string, Entry>();
  readonly #fields = new Map<string, number>();
  readonly #access: FieldDraft[] = [];
  readonly #inputs = new Map<string, Entry>();
  readonly #unconditional = new Set<Entry>();
  /** How many streams have a predicate. */
  readonly #shared = new Map<Entry, number>();

  constructor(settings: PlanSettings) {
    this.#settings = settings;
  }

  compile(definition: StreamDefinition): CompiledStream {
    const compiled = definition.rules.map((rule) => this.#entryOf(rule));
    const usable = [...new Set(compiled.flatMap((entry) => entry ?? []))];
    const neverMatches = definition.matchingType === 'AND' && compiled.includes(undefined);
    if (neverMatches) return { definition, rules: [] };
    const slowOnes = usable.filter(({ predicate }) => predicate.rank >= SLOW_RANK).length;
    for (const entry of usable) {
      entry.predicate.limitTo(this.#settings.timeoutMs / 2 / slowOnes);
      this.#shared.set(entry, (this.#shared.get(entry) ?? 0) + 1);
    }
    return { definition, rules: usable.sort(byCost) };
  }

  place({ definition, rules }: CompiledStream, position: number): StreamPlan {
    const [first] = rules;
    if (first === undefined) return { definition, rules, rest: [] };
    if (definition.matchingType === 'OR') {
      const always = rules.find(({ predicate }) => predicate.type === RULE_TYPE.always);
      for (const entry of always ? [always] : rules) this.#enter(entry).matches.push(position);
      return { definition, rules, rest: [] };
    }
    // When a rule holds, the rests of all streams entered under it are tested: the more streams share it, the worse.
    const cost = (entry: Entry) => selectivity(entry) + Math.log2(this.#shared.get(entry) ?? 1);
    const key = rules.reduce((best, entry) => (cost(entry) < cost(best) ? entry : best), first);
    this.#enter(key).opens.push(position);
    const rest = rules.filter((entry) => entry !== key && entry.predicate.type !== RULE_TYPE.always);
    return { definition, rules, rest };
  }

  finish(streams: readonly StreamPlan[]): RoutingPlan {
    for (const access of this.#access) {
      access.greater.sort((left, right) => compare(left.predicate.number, right.predicate.number));
      access.smaller.sort((left, right) => compare(right.predicate.number, left.predicate.number));
    }
    return {
      streams,
      entries: [...this.#entries.values()],
      fields: this.#access.map(finishField),
      builtIn: this.#builtIn(),
      inputs: this.#inputs,
      unconditional: [...this.#unconditional].sort(byCost),
      bind: createBinder(this.#fields),
    };
  }

  #builtIn(): { field: number; read: FieldReader }[] {
    return [...this.#fields].flatMap(([name, field]) => {
      if (name === NODE_FIELD) return [{ field, read: () => this.#settings.nodeId }];
      if (name === 'gl2_remote_port') return [{ field, read: remotePort }];
      return BUILT_IN_FIELDS.has(name) ? [{ field, read: fieldReader(name) }] : [];
    });
  }

  #entryOf(rule: StreamDefinition['rules'][number]): Entry | undefined {
    const predicate = usablePredicate(rule);
    if (predicate === undefined) return undefined;
    const known = this.#entries.get(predicate.key);
    if (known !== undefined) return known;
    const field = predicate.type === RULE_TYPE.always ? -1 : this.#fieldOf(predicate.field);
    const hasLiteral = !predicate.inverted && isIndexable(predicate.literal);
    const entry = { index: this.#entries.size, predicate, hasLiteral, field, matches: [], opens: [] };
    this.#entries.set(predicate.key, entry);
    return entry;
  }

  #fieldOf(name: string): number {
    const known = this.#fields.get(name);
    if (known !== undefined) return known;
    const field = this.#access.length;
    this.#fields.set(name, field);
    const lists = { greater: [], smaller: [], presence: [], tests: [], withLiteral: [] };
    this.#access.push({ name, exact: new Map(), ...lists });
    return field;
  }

  /** Puts an entry where messages that satisfy it find it. Idempotent. */
  #enter(entry: Entry): Entry {
    const { predicate } = entry;
    const access = this.#access[entry.field];
    if (predicate.inverted || access === undefined) {
      this.#unconditional.add(entry);
      return entry;
    }
    const isEntered = entry.matches.length > 0 || entry.opens.length > 0;
    if (isEntered) return entry;
    switch (predicate.type) {
      case RULE_TYPE.exact:
        access.exact.set(predicate.text, entry);
        break;
      case RULE_TYPE.input:
        this.#inputs.set(predicate.text, entry);
        break;
      case RULE_TYPE.greater:
        access.greater.push(entry);
        break;
      case RULE_TYPE.smaller:
        access.smaller.push(entry);
        break;
      case RULE_TYPE.presence:
        access.presence.push(entry);
        break;
      case RULE_TYPE.contains:
      case RULE_TYPE.regex:
        if (entry.hasLiteral) access.withLiteral.push(entry);
        else access.tests.push(entry);
        break;
      default:
        access.tests.push(entry);
        break;
    }
    return entry;
  }
}

const SLOW_RANK = 6;

function byCost(left: Entry, right: Entry): number {
  const { predicate: a } = left;
  const { predicate: b } = right;
  return a.rank - b.rank || b.safeLength - a.safeLength || left.index - right.index;
}

/** Lower is better: fewer messages are likely to satisfy the rule, or it is cheaper to find out that they do not. */
function selectivity({ predicate, hasLiteral }: Entry): number {
  if (predicate.type === RULE_TYPE.always) return 99;
  if (predicate.inverted) return 50 + predicate.rank;
  if (predicate.type === RULE_TYPE.exact) return 0;
  if (predicate.type === RULE_TYPE.input) return 1;
  if (hasLiteral) return 2;
  // A field that only some messages have excludes the others at no cost.
  return predicate.rank + (BUILT_IN_FIELDS.has(predicate.field) ? 20 : 10);
}

function finishField({ withLiteral, ...access }: FieldDraft): FieldAccess {
  const isWorthIt = withLiteral.length >= MIN_LITERALS;
  const tests = [...access.tests, ...(isWorthIt ? [] : withLiteral)].sort(byCost);
  if (!isWorthIt) return { ...access, tests, literals: undefined };
  const rules = withLiteral.map((entry) => {
    const { literal, regex } = entry.predicate;
    return { rule: entry, literal, ignoreCase: regex.ignoreCase };
  });
  return { ...access, tests, literals: new LiteralIndex(rules) };
}

function compare(left: number | bigint, right: number | bigint): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function remotePort(message: Message): number | undefined {
  return message.origin.remotePort > 0 ? message.origin.remotePort : undefined;
}

function createBinder(fields: ReadonlyMap<string, number>): (layout: FieldLayout) => FieldBinding {
  // Layouts come and go with the senders.
  const bindings = new BoundedMap<FieldLayout, FieldBinding>({ maxEntries: MAX_BINDINGS });
  return function bind(layout) {
    const known = bindings.get(layout);
    if (known !== undefined) return known;
    const bound: { field: number; position: number }[] = [];
    for (const [position, name] of layout.names.entries()) {
      const field = fields.get(name);
      if (field !== undefined && !BUILT_IN_FIELDS.has(name) && name !== NODE_FIELD)
        bound.push({ field, position });
    }
    const binding = {
      fields: bound.map(({ field }) => field),
      positions: bound.map(({ position }) => position),
    };
    bindings.set(layout, binding);
    return binding;
  };
}
