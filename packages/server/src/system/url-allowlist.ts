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
  InvalidError,
  type Startable,
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
/** Of a compiled expression. */
const MAX_PROGRAM_SIZE = 20_000;

export function createUrlAllowlist(deps: UrlAllowlistDeps): UrlAllowlist {
  const { clusterSettings } = deps.metadata.repositories;
  const listeners: (() => void)[] = [];
  let list = OFF;
  let isAllowed = compile(OFF);

  function use(found: UrlAllowlistView): void {
    if (JSON.stringify(found) === JSON.stringify(list)) return;
    list = found;
    isAllowed = compile(found);
    for (const listener of listeners) listener();
  }

  async function refresh(): Promise<void> {
    const stored = await clusterSettings.find(KEY);
    use(stored === undefined ? OFF : urlAllowlistSchema.parse(stored));
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
    isAllowed: (url) => isAllowed(url),
    view: () => list,
    onChange: (listener) => void listeners.push(listener),
    async replace({ principal, remoteAddress }, wanted) {
      compile(wanted);
      const before = list;
      await clusterSettings.set(KEY, wanted);
      use(wanted);
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

/** Throws `InvalidError` for an entry that is not a URL or not a regular expression. */
function compile({ entries, disabled }: UrlAllowlistView): (url: string) => boolean {
  const tests = entries.map(({ type, value }, index) => {
    const path = `entries[${index}].value`;
    return type === 'literal' ? literal(value, path) : regex(value, path);
  });
  return (url) => disabled || tests.some((matches) => matches(url));
}

/** Compared as URLs, so that `https://Example.org` is `https://example.org/`. */
function literal(value: string, path: string): (url: string) => boolean {
  const href = URL.parse(value)?.href;
  if (href === undefined) throw invalid(path, `${JSON.stringify(value)} is not a URL`);
  return (url) => URL.parse(url)?.href === href;
}

/** RE2 takes no longer for hostile expressions. As in Graylog it may match anywhere unless it is anchored. */
function regex(value: string, path: string): (url: string) => boolean {
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(value);
  } catch (error) {
    throw invalid(path, `${JSON.stringify(value)} is not a regular expression (${String(error)})`);
  }
  if (compiled.programSize() > MAX_PROGRAM_SIZE) throw invalid(path, 'the regular expression is too large');
  return (url) => compiled.test(url);
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
