/** Collects the problems of one query. */
import type { QueryProblem, TextSpan } from './ast.ts';
import { asPhrase } from './escapes.ts';
import { MAX_PROBLEMS } from './limits.ts';

/** A change of the text that corrects a problem. */
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
  /** Whether an error there would be recorded. Check it before expensive work for a suggestion. */
  acceptsError(at: TextSpan): boolean;
  /** Ignores further problems in this part of the text, so that a mistake is reported once. */
  ignoreFurther(at: TextSpan): void;
  hasErrors(): boolean;
  /** Errors first, then in the order of the text. */
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
    acceptsError: (at) => wants('error', at),
    ignoreFurther: (at) => {
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

/** Removes a piece and the white space around it, and keeps its neighbours separate. */
export function without({ from, to }: TextSpan, text: string): Edit {
  const behind = /^\s*/.exec(text.slice(to))?.[0].length ?? 0;
  const before = behind > 0 || to === text.length ? from - text.slice(0, from).trimEnd().length : 0;
  const place = { from: from - before, to: to + behind };
  const isBetween = /[^\s(]$/.test(text.slice(0, place.from)) && /^[^\s)~^]/.test(text.slice(place.to));
  return { ...place, insert: isBetween ? ' ' : '' };
}

/** A part of the query for a message, shortened and on one line. */
export function quoted(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return `"${line.length > 40 ? `${line.slice(0, 39)}…` : line}"`;
}

const RUN_END = /[\s\u3000()]/;

/** The run of text around a position, up to white space or brackets. */
export function runAround(text: string, position: number): TextSpan {
  let from = position;
  let to = position;
  while (from > 0 && !RUN_END.test(text.charAt(from - 1))) from--;
  while (to < text.length && !RUN_END.test(text.charAt(to))) to++;
  // Operators before a clause are not part of it.
  while (from < position && /[+\-!]/.test(text.charAt(from))) from++;
  return { from, to };
}

/** Texts with colons that are not `field:value`: times, addresses and URLs. */
const WHOLE = [
  /^\d{1,2}:\d{2}(:\d{2}([.,]\d+)?)?$/,
  /^\d{4}-\d\d-\d\dT\d\d:/,
  /^[0-9a-f]{0,4}(:[0-9a-f]{0,4}){2,}([/%].*)?$/i,
  /^[a-z][a-z0-9+.-]*:\/\//i,
  /^[a-z]:\\/i,
];

/** Quotes a run of text: all of it, or the value after the first `field:`. */
export function quotesFor(text: string, run: TextSpan): Edit | undefined {
  const raw = text.slice(run.from, run.to);
  if (raw === '' || raw.includes('"')) return undefined;
  const isWhole = WHOLE.some((form) => form.test(raw));
  const field = isWhole ? undefined : /^[\p{L}_@][\p{L}\p{N}_.@-]*:(?=.)/u.exec(raw)?.[0];
  const from = run.from + (field?.length ?? 0);
  return { from, to: run.to, insert: asPhrase(text.slice(from, run.to)) };
}
