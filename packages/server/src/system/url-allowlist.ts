/**
 * Which URLs this cluster calls for its users: notifications, outputs and lookup tables ask before every call. Off until
 * somebody switches it on. Which networks may be called at all is the operator's decision, in the configuration file.
 */
import { type UrlAllowlist as UrlAllowlistView, urlAllowlistSchema } from '@millrace/contract';
import { RE2JS } from 're2js';
import {
  type AllowedUrls,
  type AuditLog,
  type Caller,
  createPeriodicJob,
  errorMessage,
  InvalidError,
  type Startable,
  threadClock,
} from '#core/index.ts';
import type { Metadata } from '#metadata/index.ts';
import type { Logger } from '#telemetry/index.ts';

export interface UrlAllowlist extends Startable, AllowedUrls {
  view(): UrlAllowlistView;
  /** Applies at once on this node, within seconds on the others. */
  replace(caller: Caller, list: UrlAllowlistView): Promise<void>;
  /** Calls `listener` after every change. */
  onChange(listener: () => void): void;
}

export interface UrlAllowlistDeps {
  readonly metadata: Pick<Metadata, 'repositories' | 'kind'>;
  readonly audit: AuditLog;
  readonly logger: Logger;
}

const KEY = 'url_allowlist';
/** How often to look for changes that other nodes made. */
const REFRESH_INTERVAL_MS = 1000;
const OFF: UrlAllowlistView = { entries: [], disabled: true };
/** Whoever limits what is called wants nothing called by mistake. */
const NOTHING: UrlAllowlistView = { entries: [], disabled: false };
/** Of one regular expression, and of all that are compiled. The thread that compiles them does nothing else meanwhile. */
const MAX_COST = 20_000;
const MAX_TOTAL_COST = 200_000;
/** Of one regular expression, compiled. A match takes time for each instruction and each character of the URL. */
const MAX_PROGRAM_SIZE = 2500;
/** Longer URLs match no regular expression. */
const MAX_MATCHED_LENGTH = 4000;
/**
 * Instructions of one regular expression times characters of the URL, about what a match takes: 0.1 s. Usual expressions
 * have a hundredth of it. One that has more for a URL does not match it.
 */
const MAX_WORK = 1_000_000;
/** Time of this thread for all regular expressions of the list: a usual list takes a thousandth of it. */
const MAX_MATCH_MS = 200;

interface CompiledList {
  readonly view: UrlAllowlistView;
  isAllowed(url: string): boolean | 'too-slow';
}

interface CompiledRegex {
  readonly regex: RE2JS;
  /** Instructions. */
  readonly size: number;
}

export function createUrlAllowlist(deps: UrlAllowlistDeps): UrlAllowlist {
  const { clusterSettings } = deps.metadata.repositories;
  const listeners: (() => void)[] = [];
  let list = compile(OFF);
  let storedText = JSON.stringify(OFF);

  function use(text: string, found: () => CompiledList): void {
    if (text === storedText) return;
    storedText = text;
    list = found();
    for (const listener of listeners) listener();
  }

  /** Another version of the program may have stored what this one does not take: no reason not to start. */
  function compileStored(stored: unknown): CompiledList {
    try {
      return compile(urlAllowlistSchema.parse(stored));
    } catch (error) {
      deps.logger.error(
        { reason: errorMessage(error) },
        'the stored list of allowed URLs cannot be read, so no URL is called: replace it with PUT /system/urlallowlist',
      );
      return compile(NOTHING);
    }
  }

  async function refresh(): Promise<void> {
    const stored = (await clusterSettings.find(KEY)) ?? OFF;
    use(JSON.stringify(stored), () => compileStored(stored));
  }

  const polling =
    deps.metadata.kind === 'sqlite'
      ? undefined
      : createPeriodicJob(
          { run: refresh, logger: deps.logger },
          { name: 'refreshing the URL allowlist', intervalMs: REFRESH_INTERVAL_MS },
        );

  return {
    name: 'URL allowlist',
    async start() {
      await refresh();
      polling?.start();
    },
    async stop() {
      await polling?.stop();
    },
    isAllowed(url) {
      const found = list.isAllowed(url);
      if (found !== 'too-slow') return found;
      deps.logger.warn(
        'the regular expressions of the list of allowed URLs take too long for a URL, so it was not called: use shorter ones or literal URLs',
      );
      return false;
    },
    view: () => list.view,
    onChange: (listener) => void listeners.push(listener),
    async replace({ principal, remoteAddress }, wanted) {
      const compiled = compile(wanted);
      const before = list.view;
      await clusterSettings.set(KEY, wanted);
      use(JSON.stringify(wanted), () => compiled);
      await deps.audit.record({
        actor: principal.username,
        address: remoteAddress,
        action: 'url_allowlist.update',
        objectType: 'url_allowlist',
        objectId: undefined,
        before,
        after: wanted,
      });
    },
  };
}

/** Throws `InvalidError` for an entry that is not a URL or not a regular expression, and for expressions too large. */
function compile(view: UrlAllowlistView): CompiledList {
  let totalCost = 0;
  const literals = new Set<string>();
  const regexes: CompiledRegex[] = [];
  for (const [index, { type, value }] of view.entries.entries()) {
    const path = `entries[${index}].value`;
    if (type === 'literal') {
      literals.add(literal(value, path));
      continue;
    }
    const cost = regexCost(value);
    if (cost > MAX_COST) {
      throw tooLarge(path);
    }
    totalCost += cost;
    if (totalCost > MAX_TOTAL_COST) {
      throw invalid(path, 'up to here, the regular expressions are too large together; use literal URLs');
    }
    regexes.push(regex(value, path));
  }
  return {
    view,
    isAllowed(url) {
      if (view.disabled) return true;
      // As it is called: `https://evil.example\.good.example/` is written so that an expression sees another host in it.
      const href = URL.parse(url)?.href;
      return href !== undefined && (literals.has(href) || matchesAny(regexes, href));
    },
  };
}

/** Hostile expressions take long even for RE2: the node must not stand still for all of them. */
function matchesAny(regexes: readonly CompiledRegex[], url: string): boolean | 'too-slow' {
  if (url.length > MAX_MATCHED_LENGTH) return false;
  const start = threadClock.now();
  let isSkipped = false;
  for (const { regex, size } of regexes) {
    if (size * url.length > MAX_WORK) isSkipped = true;
    else if (regex.test(url)) return true;
    if (threadClock.now() - start > MAX_MATCH_MS) return 'too-slow';
  }
  return isSkipped ? 'too-slow' : false;
}

/** Compared as URLs, so that `https://Example.org` is `https://example.org/`. */
function literal(value: string, path: string): string {
  const href = URL.parse(value)?.href;
  if (href === undefined) throw invalid(path, `${JSON.stringify(value)} is not a URL`);
  return href;
}

/** RE2 takes no longer for hostile expressions. As in Graylog it may match anywhere unless it is anchored. */
function regex(value: string, path: string): CompiledRegex {
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(value);
  } catch (error) {
    throw invalid(path, `${JSON.stringify(value)} is not a regular expression (${String(error)})`);
  }
  const size = compiled.programSize();
  if (size > MAX_PROGRAM_SIZE) throw tooLarge(path);
  return { regex: compiled, size };
}

/** What a character costs that may belong to a class of thousands of them. No URL has characters beyond ASCII. */
const COST_OF_WIDE_CHARACTER = 1000;

/**
 * At least the size of the compiled program, and known before anything is compiled, which takes seconds for a large one:
 * counted repetitions are copies. Those of groups are taken as if all of them were nested.
 */
export function regexCost(source: string): number {
  let copies = 1;
  let size = 2 * source.length + 4;
  for (const [, before, min, max] of source.matchAll(/(^|.)\{(\d+)(?:,(\d*))?\}/gs)) {
    const count = Math.max(Number(min), Number(max ?? 0), 1);
    if (before === ')' || before === '}') copies *= count;
    else size += 2 * count;
  }
  const wide = source.match(/\\[pPx]|[^\p{ASCII}]/gu)?.length ?? 0;
  return copies * (size + wide * COST_OF_WIDE_CHARACTER);
}

function tooLarge(path: string): InvalidError {
  return invalid(path, 'the regular expression is too large; use fewer and smaller repetitions such as {30}');
}

function invalid(path: string, message: string): InvalidError {
  return new InvalidError(`${path}: ${message}.`, { problems: [{ path, message }] });
}

/** A regular expression for exactly this URL; whatever stands in the place of `placeholder` matches. */
export function urlRegex(template: string, placeholder: string | undefined): string {
  const parts = placeholder === undefined ? [template] : template.split(placeholder);
  const quote = (part: string): string =>
    part === '' ? '' : `\\Q${part.replaceAll('\\E', '\\E\\\\E\\Q')}\\E`;
  return `^${parts.map(quote).join('.*?')}$`;
}
