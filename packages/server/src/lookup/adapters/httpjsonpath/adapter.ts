import { compile, type JSONPathQuery, type JSONValue } from 'json-p3';
import { type Clock, createHttpClient, createTimeGuard } from '#core/index.ts';
import { defineAdapter } from '../../adapter-type.ts';
import { answerOf, type LookupAnswer, type LookupValue, NO_ANSWER } from '../../answer.ts';
import { type HttpJsonPathConfig, httpJsonPathFields, httpJsonPathProblems } from './config.ts';
import { requestJson } from './json-request.ts';
import { urlOf } from './url-template.ts';

const MAX_CONCURRENT = 16;
/** Of the part of an answer that is kept. */
const MAX_LENGTH = 65_536;
const MAX_DEPTH = 32;
/** For the JSONPaths of one answer: a thousand times what usual ones take. */
const MAX_READ_MS = 500;
const REST_MS = 10_000;

export const httpJsonPathAdapter = defineAdapter({
  id: 'httpjsonpath',
  name: 'HTTP JSONPath',
  description: 'Asks a server with HTTP for each key and takes the values out of the JSON that it answers.',
  fields: httpJsonPathFields,
  check: httpJsonPathProblems,
  create({ targets, clock }, config) {
    const client = createHttpClient({ targets, keptConnections: MAX_CONCURRENT });
    const closing = new AbortController();
    const reader = createReader(clock, pathsOf(config));
    const headers = headersOf(config);
    return {
      kind: 'remote',
      maxConcurrent: MAX_CONCURRENT,
      usesExpired: true,
      async fetch(key) {
        const url = urlOf(config.url, key);
        if (url === undefined) return { answer: NO_ANSWER };
        reader.require();
        const { signal } = closing;
        const json = await requestJson(client, { url, headers, timeoutMs: config.timeout, signal });
        return { answer: json === undefined ? NO_ANSWER : reader.read(json as JSONValue) };
      },
      close() {
        closing.abort(new Error('the data adapter was changed or deleted'));
        client.close();
      },
    };
  },
});

interface Paths {
  readonly single: JSONPathQuery;
  readonly multi: JSONPathQuery | undefined;
}

function pathsOf({ single_value_jsonpath, multi_value_jsonpath }: HttpJsonPathConfig): Paths {
  return {
    single: compile(single_value_jsonpath),
    multi: multi_value_jsonpath === undefined ? undefined : compile(multi_value_jsonpath),
  };
}

/**
 * A JSONPath that may lead to several places can take any time: `search(@, '(a+)+$')` does for some texts, and servers
 * choose the texts. The main thread does nothing else meanwhile, so it is broken off, and rests.
 */
function createReader(clock: Clock, paths: Paths) {
  const guard = createTimeGuard();
  let slowAt: number | undefined;
  /** Throws while it rests. */
  function require(): void {
    // The clock may have been set back.
    if (slowAt !== undefined && Math.abs(clock.now() - slowAt) < REST_MS) throw tooSlow();
  }
  return {
    require,
    read(json: JSONValue): LookupAnswer {
      if (paths.multi === undefined || paths.multi.singularQuery()) return answerOfJson(json, paths);
      // Other answers were under way.
      require();
      let answer = NO_ANSWER;
      const work = () => {
        answer = answerOfJson(json, paths);
      };
      if (guard.repeat(work, MAX_READ_MS)) return answer;
      slowAt = clock.now();
      throw tooSlow();
    },
  };
}

function tooSlow(): Error {
  return new Error(
    `the JSONPaths take longer than ${MAX_READ_MS} ms for an answer; nothing is asked for ${REST_MS / 1000} s. Write a simpler multi_value_jsonpath`,
  );
}

/** Whatever people have set replaces what is usual, in upper or lower case. */
function headersOf(config: HttpJsonPathConfig): Readonly<Record<string, string>> {
  const headers = new Headers({ accept: 'application/json', 'user-agent': config.user_agent });
  for (const [name, value] of Object.entries(config.headers)) headers.set(name, value);
  for (const { name, value } of config.secret_headers) headers.set(name, value.reveal());
  return Object.fromEntries(headers);
}

/** Without a single value there is no answer, as in Graylog; what is not there is null. */
export function answerOfJson(json: JSONValue, { single: singlePath, multi: multiPath }: Paths): LookupAnswer {
  const single = checked(singlePath.query(json).values()[0]);
  const multi = multiPath === undefined ? null : checked(multiValue(json, multiPath));
  if (single !== null && typeof single === 'object')
    throw new Error('the JSONPath of the single value leads to an object or a list, not to one value');
  if (multi === null) return answerOf(single);
  return { ...answerOf(multi), single };
}

function multiValue(json: JSONValue, path: JSONPathQuery): JSONValue | undefined {
  const values = path.query(json).values();
  return path.singularQuery() ? values[0] : values;
}

function checked(value: JSONValue | undefined): LookupValue {
  if (value === undefined) return null;
  if (depthOf(value, MAX_DEPTH) > MAX_DEPTH)
    throw new Error(`the answer is nested more than ${MAX_DEPTH} times`);
  const { length } = JSON.stringify(value);
  if (length > MAX_LENGTH)
    throw new Error(`the value has ${length} characters of JSON; at most ${MAX_LENGTH} are kept`);
  return value as LookupValue;
}

/** Stops counting above `most`. */
function depthOf(value: JSONValue, most: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (most <= 0) return 1;
  let deepest = 0;
  // Not as arguments of one call: a list can have more values than a call takes.
  for (const each of Object.values(value)) {
    deepest = Math.max(deepest, depthOf(each, most - 1));
    if (deepest >= most) break;
  }
  return 1 + deepest;
}
