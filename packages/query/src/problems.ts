/** Collects what is wrong with one query. */
import type { QueryProblem, TextSpan } from './ast.ts';
import { asPhrase } from './escapes.ts';
import { MAX_PROBLEMS } from './limits.ts';

/** A change of the text that puts a problem right. */
export interface Edit extends TextSpan {
  readonly insert: string;
}

export interface ProblemDetails {
  readonly suggestion?: string;
  readonly edit?: Edit | undefined;
}

export interface Problems {
  readonly text: string;
  error(at: TextSpan, message: string, details?: ProblemDetails): void;
  warning(at: TextSpan, message: string, details?: ProblemDetails): void;
  /** Whether an error there would be told: asked before costly advice is made up, lest a long text take long. */
  wantsError(at: TextSpan): boolean;
  /** One mistake is told once: nothing more is said about this part of the text. */
  done(at: TextSpan): void;
  hasErrors(): boolean;
  /** Errors first, each kind in the order of the text. */
  list(): QueryProblem[];
}

export function createProblems(text: string): Problems {
  const found: Record<QueryProblem['severity'], QueryProblem[]> = { error: [], warning: [] };
  const settled: TextSpan[] = [];

  function wants(severity: QueryProblem['severity'], at: TextSpan): boolean {
    if (found[severity].length >= MAX_PROBLEMS) return false;
    return !settled.some((span) => at.from >= span.from && at.to <= span.to);
  }

  function add(severity: QueryProblem['severity'], at: TextSpan, message: string, details: ProblemDetails) {
    if (!wants(severity, at)) return;
    const { suggestion, edit } = details;
    found[severity].push({
      severity,
      message,
      at: { from: at.from, to: at.to },
      ...(suggestion === undefined ? {} : { suggestion }),
      ...(edit === undefined ? {} : { replacement: edited(text, edit) }),
    });
  }

  return {
    text,
    error: (at, message, details = {}) => add('error', at, message, details),
    warning: (at, message, details = {}) => add('warning', at, message, details),
    wantsError: (at) => wants('error', at),
    done: (at) => {
      if (settled.length < MAX_PROBLEMS) settled.push(at);
    },
    hasErrors: () => found.error.length > 0,
    list: () => [...found.error, ...found.warning].sort(byKindAndPlace),
  };
}

function byKindAndPlace(one: QueryProblem, other: QueryProblem): number {
  if (one.severity !== other.severity) return one.severity === 'error' ? -1 : 1;
  return one.at.from - other.at.from;
}

function edited(text: string, { from, to, insert }: Edit): string {
  return text.slice(0, from) + insert + text.slice(to);
}

/** Takes a piece out, with the white space it stood in; what stood on its sides stays apart. */
export function without({ from, to }: TextSpan, text: string): Edit {
  const behind = /^\s*/.exec(text.slice(to))?.[0].length ?? 0;
  const before = behind > 0 || to === text.length ? from - text.slice(0, from).trimEnd().length : 0;
  const place = { from: from - before, to: to + behind };
  const isBetween = /[^\s(]$/.test(text.slice(0, place.from)) && /^[^\s)~^]/.test(text.slice(place.to));
  return { ...place, insert: isBetween ? ' ' : '' };
}

/** A piece of the query for a message: short, on one line. */
export function quoted(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return `"${line.length > 40 ? `${line.slice(0, 39)}…` : line}"`;
}

const RUN_END = /[\s\u3000()]/;

/** The text without white space and brackets that a position stands in. */
export function runAround(text: string, position: number): TextSpan {
  let from = position;
  let to = position;
  while (from > 0 && !RUN_END.test(text.charAt(from - 1))) from--;
  while (to < text.length && !RUN_END.test(text.charAt(to))) to++;
  // Operators in front of a clause are no part of it.
  while (from < position && /[+\-!]/.test(text.charAt(from))) from++;
  return { from, to };
}

/** Texts with colons that are no `field:value`: times, addresses and whole URLs. */
const WHOLE = [
  /^\d{1,2}:\d{2}(:\d{2}([.,]\d+)?)?$/,
  /^\d{4}-\d\d-\d\dT\d\d:/,
  /^[0-9a-f]{0,4}(:[0-9a-f]{0,4}){2,}([/%].*)?$/i,
  /^[a-z][a-z0-9+.-]*:\/\//i,
  /^[a-z]:\\/i,
];

/** Quotes for a run that is meant as text: around all of it, or around the value behind the first `field:`. */
export function quotesFor(text: string, run: TextSpan): Edit | undefined {
  const raw = text.slice(run.from, run.to);
  if (raw === '' || raw.includes('"')) return undefined;
  const isWhole = WHOLE.some((form) => form.test(raw));
  const field = isWhole ? undefined : /^[\p{L}_@][\p{L}\p{N}_.@-]*:(?=.)/u.exec(raw)?.[0];
  const from = run.from + (field?.length ?? 0);
  return { from, to: run.to, insert: asPhrase(text.slice(from, run.to)) };
}
