import { setImmediate as nextTurn } from 'node:timers/promises';
import type { StreamPreviewRequest, StreamPreviewView, StreamRuleRequest } from '@millrace/contract';
import type { FieldValue } from '#core/index.ts';
import { createStreamMatcher, requireValidRules, type StreamMatcher } from '../index.ts';
import type { MatchJob, MatchThread, MatchThreads, ThreadMatch } from './match-threads.ts';
import { createPreviewResult } from './preview-result.ts';
import type { ReadSample, SampleCaller, SampledMessage } from './sampled-message.ts';
import { ruleOf } from './snapshot-publisher.ts';
import { QUICK_MS, type TestMatcher } from './test-match.ts';
import { ruleOfRequest } from './view.ts';

/**
 * What rules would do to stored messages. Nothing is changed. It uses the compiled rules of routing, so the result is
 * what routing would have done. Lets other work run every few milliseconds.
 */
export interface StreamPreview {
  preview(caller: SampleCaller, request: StreamPreviewRequest): Promise<StreamPreviewView>;
}

export interface StreamPreviewDeps {
  readonly readSample: ReadSample;
  readonly threads: MatchThreads;
  readonly testMatcher: TestMatcher;
}

export interface StreamPreviewSettings {
  readonly streamTimeoutMs: number;
  readonly maxFaults: number;
}

/** What a row of examples shows, besides the fields of the rules. */
const SHOWN_FIELDS = ['source', 'level', 'message'];
const TURN_MS = 10;
/** How long the slow messages of one preview may take together; it stops looking then. */
const MAX_SLOW_MS = 10_000;

export function createStreamPreview(deps: StreamPreviewDeps, settings: StreamPreviewSettings): StreamPreview {
  return {
    async preview(caller, request) {
      const stream = {
        matchingType: request.matching_type,
        rules: rulesOf(request.rules),
      };
      const matcher = createStreamMatcher(stream, { limitMs: QUICK_MS });
      const result = createPreviewResult({ rules: stream.rules.length, examples: request.examples });
      const slow = createSlowMatching(deps.threads, { stream, timeoutMs: settings.streamTimeoutMs });
      try {
        const sample = request.sample === 0 ? [] : batches(deps, caller, request, matcher);
        await look(sample, { matcher, slow, result, limit: request.sample, maxFaults: settings.maxFaults });
      } finally {
        slow.close();
      }
      const { message } = request;
      return {
        ...result.view(),
        ...(message && { message: await tried(deps.testMatcher, stream, message) }),
      };
    },
  };
}

function rulesOf(requests: readonly StreamRuleRequest[]): MatchJob['stream']['rules'] {
  const rules = requests.map(ruleOfRequest);
  requireValidRules(rules);
  return rules.map((rule, index) => ruleOf({ ...rule, id: String(index) }));
}

/** One message more than wanted tells whether there are more. */
function batches(
  { readSample }: StreamPreviewDeps,
  caller: SampleCaller,
  { timerange, sample }: StreamPreviewRequest,
  { fields }: StreamMatcher,
) {
  const wanted = [...new Set([...SHOWN_FIELDS, ...fields])];
  return readSample(caller, { range: timerange, limit: sample + 1, fields: wanted });
}

interface Looking {
  readonly matcher: StreamMatcher;
  readonly slow: SlowMatching;
  readonly result: ReturnType<typeof createPreviewResult>;
  readonly limit: number;
  readonly maxFaults: number;
}

async function look(
  sample: AsyncIterable<readonly SampledMessage[]> | readonly (readonly SampledMessage[])[],
  { matcher, slow, result, limit, maxFaults }: Looking,
): Promise<void> {
  let turnEnds = performance.now() + TURN_MS;
  for await (const batch of sample) {
    for (const message of batch) {
      if (result.lookedAt() >= limit || slow.isUsedUp()) return result.stop();
      const read = (field: string) => routedValue(message, field);
      const match = matcher.isQuick(read) ? matcher.match(read) : await slow.match(matcher, read);
      result.add(message, match);
      if (result.timedOut() > maxFaults) return result.disabled();
      if (performance.now() < turnEnds) continue;
      await nextTurn();
      turnEnds = performance.now() + TURN_MS;
    }
  }
}

interface SlowMatching {
  match(matcher: StreamMatcher, read: (field: string) => FieldValue | undefined): Promise<ThreadMatch>;
  isUsedUp(): boolean;
  close(): void;
}

/** Messages that need a time guard. The thread is started for the first of them. */
function createSlowMatching(threads: MatchThreads, job: MatchJob): SlowMatching {
  let thread: MatchThread | undefined;
  let usedMs = 0;
  return {
    async match({ fields }, read) {
      thread ??= await threads.open(job);
      const start = performance.now();
      const match = await thread.ask(fields, read);
      usedMs += performance.now() - start;
      return match;
    },
    isUsedUp: () => usedMs > MAX_SLOW_MS,
    close: () => thread?.close(),
  };
}

/** Routing sees these as fields of the message, whatever its additional fields are. */
const OWN_FIELDS = new Map<string, (message: SampledMessage) => FieldValue>([
  ['_id', ({ id }) => id],
  ['timestamp', ({ timestamp }) => timestamp],
  ['gl2_receive_timestamp', ({ receivedAt }) => receivedAt],
]);

/** The value that routing saw: it knows nothing of the streams of a message yet. */
function routedValue(message: SampledMessage, field: string): FieldValue | undefined {
  const own = OWN_FIELDS.get(field);
  if (own !== undefined) return own(message);
  const value = message.fields.get(field);
  return typeof value === 'object' ? undefined : value;
}

async function tried(
  matcher: TestMatcher,
  stream: MatchJob['stream'],
  message: Readonly<Record<string, unknown>>,
): Promise<StreamPreviewView['message']> {
  const match = await matcher.match(stream, message);
  return {
    matches: match.matches,
    rules: stream.rules.map(({ id }) => ({ matched: match.rules[id] ?? false })),
    timed_out: match.timed_out ?? false,
  };
}
