/** Pipelines as data, their text, and what they do to a message, word for word as their documentation says it. */
export type NaiveCondition =
  | { readonly kind: 'true' | 'false' | 'broken' }
  | { readonly kind: 'has'; readonly field: string }
  | { readonly kind: 'is'; readonly field: string; readonly value: string }
  | { readonly kind: 'not'; readonly inner: NaiveCondition }
  | { readonly kind: 'and' | 'or'; readonly left: NaiveCondition; readonly right: NaiveCondition };

export type NaiveAction =
  | { readonly kind: 'set'; readonly field: string; readonly value: string }
  | { readonly kind: 'remove'; readonly field: string }
  | { readonly kind: 'route'; readonly stream: string; readonly leavesDefault: boolean }
  | { readonly kind: 'unroute'; readonly stream: string }
  | { readonly kind: 'clone'; readonly stream: string | undefined }
  | { readonly kind: 'drop' | 'create' | 'fail' };

export interface NaiveRule {
  readonly condition: NaiveCondition;
  readonly actions: readonly NaiveAction[];
}

export interface NaiveStage {
  readonly number: number;
  readonly match: 'all' | 'either' | 'pass';
  readonly rules: readonly string[];
}

export interface NaiveSetup {
  readonly rules: Readonly<Record<string, NaiveRule>>;
  /** By id. */
  readonly pipelines: Readonly<Record<string, readonly NaiveStage[]>>;
  /** Ids of pipelines by stream. */
  readonly connections: Readonly<Record<string, readonly string[]>>;
}

export interface NaiveMessage {
  readonly fields: Map<string, string>;
  /** Empty: it was removed from all of them, so it is in the default stream until it gets another one. */
  streams: Set<string>;
  isDropped: boolean;
  /** Rules whose actions failed. */
  readonly failed: string[];
}

/** What the rule of a name leaves in the field `trail`, and the mark of messages that rules make. */
const TRAIL = 'trail';
const MADE = 'made';

export function conditionText(condition: NaiveCondition): string {
  switch (condition.kind) {
    case 'true':
    case 'false':
      return condition.kind;
    case 'broken':
      return 'array_contains("no list", "x")';
    case 'has':
      return `has_field("${condition.field}")`;
    case 'is':
      return `to_string($message.${condition.field}) == "${condition.value}"`;
    case 'not':
      return `not (${conditionText(condition.inner)})`;
    default: {
      const { kind, left, right } = condition;
      return `(${conditionText(left)} ${kind} ${conditionText(right)})`;
    }
  }
}

/** What is between `when` and `end`. Rules that make messages leave alone what rules have made. */
export function ruleText(name: string, rule: NaiveRule): string {
  const { condition, actions } = rule;
  const guard = isMaking(rule) ? `not has_field("${MADE}") and ` : '';
  const mark = `set_field("${TRAIL}", concat(to_string($message.${TRAIL}), "${name}."));`;
  const texts = actions.map((action, index) => actionText(action, `m${index}`));
  return `${guard}${conditionText(condition)} then ${mark} ${texts.join(' ')}`;
}

function actionText(action: NaiveAction, variable: string): string {
  const marked = `set_field(field: "${MADE}", value: "1", message: ${variable});`;
  switch (action.kind) {
    case 'set':
      return `set_field("${action.field}", "${action.value}");`;
    case 'remove':
      return `remove_field("${action.field}");`;
    case 'route':
      return `route_to_stream(id: "${action.stream}", remove_from_default: ${action.leavesDefault});`;
    case 'unroute':
      return `remove_from_stream(id: "${action.stream}");`;
    case 'drop':
      return 'drop_message();';
    case 'fail':
      return 'set_field("level", "no number");';
    case 'create':
      return `let ${variable} = create_message("created"); ${marked}`;
    case 'clone': {
      const { stream } = action;
      const routed = stream === undefined ? '' : `route_to_stream(id: "${stream}", message: ${variable});`;
      return `let ${variable} = clone_message(); ${marked} ${routed}`;
    }
  }
}

export function stagesText(stages: readonly NaiveStage[]): string {
  return stages
    .map(({ number, match, rules }) => `stage ${number} match ${match} ${rules.map(quotedRule).join(' ')}`)
    .join(' ');
}

const quotedRule = (name: string) => `rule "${name}"`;

export interface NaiveStreams {
  readonly running: readonly string[];
  readonly default: string;
  /** Those that remove their messages from the default stream. */
  readonly leaving: readonly string[];
}

export function naiveStreamsOf({ streams }: NaiveMessage, defaultStream: string): readonly string[] {
  return streams.size === 0 ? [defaultStream] : [...streams];
}

/** The message and what rules have made of it, in the order in which they were made; dropped ones are left out. */
export function processedNaively(
  setup: NaiveSetup,
  streams: NaiveStreams,
  first: NaiveMessage,
): readonly NaiveMessage[] {
  return new NaiveRun(setup, streams, first).messages();
}

class NaiveRun {
  readonly #setup: NaiveSetup;
  readonly #streams: NaiveStreams;
  readonly #all: NaiveMessage[];

  constructor(setup: NaiveSetup, streams: NaiveStreams, first: NaiveMessage) {
    this.#setup = setup;
    this.#streams = streams;
    this.#all = [first];
  }

  messages(): readonly NaiveMessage[] {
    for (const message of this.#all) this.#process(message);
    return this.#all.filter(({ isDropped }) => !isDropped);
  }

  #process(message: NaiveMessage): void {
    const done = new Set<string>();
    while (!message.isDropped || done.size === 0) {
      const streams = naiveStreamsOf(message, this.#streams.default);
      const added = streams.filter((stream) => !done.has(stream));
      if (added.length === 0) return;
      for (const stream of added) done.add(stream);
      this.#runStages(message, new Set(added.flatMap((stream) => this.#setup.connections[stream] ?? [])));
    }
  }

  #runStages(message: NaiveMessage, pipelines: ReadonlySet<string>): void {
    const running = new Set(pipelines);
    for (let number = 0; number <= 9; number++) {
      for (const id of [...pipelines].sort()) {
        const stage = this.#setup.pipelines[id]?.find((each) => each.number === number);
        if (stage !== undefined && running.has(id) && !this.#runStage(message, stage)) running.delete(id);
      }
    }
  }

  /** Whether its pipeline goes on. */
  #runStage(message: NaiveMessage, { match, rules }: NaiveStage): boolean {
    const holding = rules.filter((name) => holds(message, this.#setup.rules[name]));
    for (const name of holding) {
      if (this.#act(message, name)) continue;
      message.failed.push(name);
      break;
    }
    if (match === 'pass' || rules.length === 0) return true;
    return match === 'all' ? holding.length === rules.length : holding.length > 0;
  }

  /** False: an action failed. */
  #act(message: NaiveMessage, name: string): boolean {
    const { fields } = message;
    fields.set(TRAIL, `${fields.get(TRAIL) ?? ''}${name}.`);
    for (const action of this.#setup.rules[name]?.actions ?? []) {
      if (action.kind === 'fail') return false;
      if (action.kind === 'set') fields.set(action.field, action.value);
      else if (action.kind === 'remove') fields.delete(action.field);
      else if (action.kind === 'drop') message.isDropped = true;
      else if (action.kind === 'unroute') this.#unroute(message, action.stream);
      else if (action.kind === 'route') {
        this.#route(message, action.stream);
        const isThere = message.streams.has(action.stream);
        if (action.leavesDefault && isThere) this.#unroute(message, this.#streams.default);
      } else this.#make(message, action);
    }
    return true;
  }

  #make({ fields, streams, failed }: NaiveMessage, action: { kind: string; stream?: string | undefined }) {
    const isClone = action.kind === 'clone';
    const made = {
      fields: new Map([...(isClone ? fields : []), [MADE, '1']]),
      streams: new Set(isClone ? streams : [this.#streams.default]),
      isDropped: false,
      // Errors are noted in a field, which is copied.
      failed: isClone ? [...failed] : [],
    };
    if (action.stream !== undefined) this.#route(made, action.stream);
    this.#all.push(made);
  }

  #route(message: NaiveMessage, stream: string): void {
    if (!this.#streams.running.includes(stream) || message.streams.has(stream)) return;
    if (this.#streams.leaving.includes(stream)) this.#unroute(message, this.#streams.default);
    message.streams.add(stream);
  }

  #unroute(message: NaiveMessage, stream: string): void {
    message.streams.delete(stream);
  }
}

function holds({ fields }: NaiveMessage, rule: NaiveRule | undefined): boolean {
  if (rule === undefined || (isMaking(rule) && fields.has(MADE))) return false;
  try {
    return answer(fields, rule.condition);
  } catch {
    return false;
  }
}

const isMaking = ({ actions }: NaiveRule) =>
  actions.some(({ kind }) => kind === 'clone' || kind === 'create');

function answer(fields: ReadonlyMap<string, string>, condition: NaiveCondition): boolean {
  switch (condition.kind) {
    case 'true':
      return true;
    case 'false':
      return false;
    case 'broken':
      throw new Error('broken');
    case 'has':
      return fields.has(condition.field);
    case 'is':
      return (fields.get(condition.field) ?? '') === condition.value;
    case 'not':
      return !answer(fields, condition.inner);
    case 'and':
      return answer(fields, condition.left) && answer(fields, condition.right);
    case 'or':
      return answer(fields, condition.left) || answer(fields, condition.right);
  }
}
