import { createTaskThreads, type FieldValue, type TaskThread, type TaskThreads } from '#core/index.ts';
import {
  createStreamMatcher,
  PLUGIN_RULE_NUMBERS,
  type ReadField,
  RULE_TYPE,
  type StreamDefinition,
  type StreamRule,
} from '../index.ts';

/** What a thread is started with. */
export interface MatchJob {
  readonly stream: Pick<StreamDefinition, 'matchingType' | 'rules'>;
  /** For all rules of the stream on one message. */
  readonly timeoutMs: number;
}

/** Undefined: it took too long. */
export interface ThreadMatch {
  readonly matches: boolean | undefined;
  readonly rules: readonly (boolean | undefined)[];
}

type Fields = ReadonlyMap<string, FieldValue>;

/** A thread that matches messages against one stream. Close it afterwards. */
export interface MatchThread {
  ask(fields: Iterable<string>, read: ReadField): Promise<ThreadMatch>;
  close(): void;
}

/** Threads for rules that may take long, so that the API does not wait. */
export interface MatchThreads {
  open(job: MatchJob): Promise<MatchThread>;
}

const MATCH_WORKER = new URL('./match-worker.ts', import.meta.url);

export function createMatchThreads(): MatchThreads {
  const threads: TaskThreads<MatchJob, Fields, ThreadMatch> = createTaskThreads(
    MATCH_WORKER,
    'Too many tests of slow rules are waiting; try again.',
  );
  return {
    async open({ stream, timeoutMs }) {
      const { rules, decide } = withoutPlugins(stream.rules);
      return matchThread(await threads.open({ stream: { ...stream, rules }, timeoutMs }), decide);
    },
  };
}

function matchThread(thread: TaskThread<Fields, ThreadMatch>, decide: DecidePluginRules): MatchThread {
  return {
    ask(names, read) {
      const fields = new Map<string, FieldValue>();
      for (const name of names) {
        const value = read(name);
        if (value !== undefined) fields.set(name, value);
      }
      for (const field of decide(read)) fields.set(field, 1);
      return thread.ask(fields);
    },
    close: () => thread.close(),
  };
}

/** The fields that say of rules of plugins that they hold. */
type DecidePluginRules = (read: ReadField) => string[];

/**
 * These threads have no plugins. Rules of plugins are decided before, under the guard of the plugin, and the thread finds
 * the result in a field that no message has.
 */
function withoutPlugins(rules: readonly StreamRule[]): {
  readonly rules: readonly StreamRule[];
  readonly decide: DecidePluginRules;
} {
  const ofPlugins = rules.filter(({ type }) => type >= PLUGIN_RULE_NUMBERS.first);
  const matcher = createStreamMatcher({ matchingType: 'AND', rules: ofPlugins }, { limitMs: 0 });
  const fieldOf = ({ id }: StreamRule) => `\0rule ${id}`;
  return {
    rules: rules.map((rule) =>
      ofPlugins.includes(rule)
        ? { ...rule, type: RULE_TYPE.presence, field: fieldOf(rule), inverted: false }
        : rule,
    ),
    decide: (read) => ofPlugins.filter((_, index) => matcher.matchRule(index, read)).map(fieldOf),
  };
}
