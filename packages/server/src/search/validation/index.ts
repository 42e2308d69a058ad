/** Explains a query before it runs, and reports errors and warnings. */
import type { QueryExplanation, QueryValidation } from '@millrace/contract';
import { explainQuery, type ParsedQuery, parseQuery, printQuery } from '@millrace/query';
import type { Clock, Principal } from '#core/index.ts';
import type { Fields } from '../fields/index.ts';
import { valueProblems } from '../query/index.ts';
import { requireTimeZone } from '../time/index.ts';
import { explanationOf, type Finding } from './explanations.ts';
import { equalsSignFindings, unknownFieldFindings, valueTypeFindings } from './field-findings.ts';

type FieldNames = Pick<Fields, 'names' | 'types'>;

export interface QueryValidator {
  /** Rejects with `InvalidError` for an unknown time zone, with `ForbiddenError` for a stream. */
  validate(principal: Principal, request: QueryToValidate): Promise<QueryValidation>;
}

export interface QueryToValidate {
  readonly query: string;
  /** The streams whose fields count as known. Undefined or empty: all that the caller may read. */
  readonly streams?: readonly string[] | undefined;
  readonly timeZone?: string | undefined;
}

export interface QueryValidatorDeps {
  readonly fields: FieldNames;
  readonly clock: Clock;
}

export function createQueryValidator({ fields, clock }: QueryValidatorDeps): QueryValidator {
  return {
    async validate(principal, { query: text, streams, timeZone }) {
      const context = { now: clock.now(), timeZone: requireTimeZone(timeZone ?? 'UTC') };
      const parsed = parseQuery(text);
      const findings = parsed.problems.map(
        (problem): Finding => ({ problem, type: typeOf(parsed, problem) }),
      );
      if (parsed.query !== undefined) {
        const known = await knownFields(fields, principal, streams);
        findings.push(
          ...valueProblems(parsed.query, context).map(
            (problem): Finding => ({ problem, type: 'INVALID_VALUE_TYPE' }),
          ),
          ...unknownFieldFindings(text, [...known.keys()]),
          ...valueTypeFindings(parsed.query, known),
          ...equalsSignFindings(text, parsed.query, known),
        );
      }
      const explanations = findings.map((finding) => explanationOf(text, finding)).sort(errorsFirst);
      const hasErrors = explanations.some(({ severity }) => severity === 'ERROR');
      return {
        status: hasErrors ? 'ERROR' : explanations.length > 0 ? 'WARNING' : 'OK',
        explanations,
        ...(hasErrors || parsed.query === undefined
          ? {}
          : { meaning: explainQuery(parsed.query), normalized_query: printQuery(parsed.query) }),
      };
    },
  };
}

function errorsFirst(one: QueryExplanation, other: QueryExplanation): number {
  if (one.severity !== other.severity) return one.severity === 'ERROR' ? -1 : 1;
  return one.begin_line - other.begin_line || one.begin_column - other.begin_column;
}

function typeOf({ text }: ParsedQuery, { severity, at }: ParsedQuery['problems'][number]): Finding['type'] {
  if (severity === 'error') return 'QUERY_PARSING_ERROR';
  return /^(and|or|not)$/i.test(text.slice(at.from, at.to)) ? 'INVALID_OPERATOR' : 'QUERY_WARNING';
}

/** The types of each field, by name. */
export type KnownFields = ReadonlyMap<string, readonly string[]>;

async function knownFields(
  fields: FieldNames,
  principal: Principal,
  streams: readonly string[] = [],
): Promise<KnownFields> {
  const { types } = await fields.names(principal, 0);
  const known = new Map<string, readonly string[]>([...Object.entries(types), ['_id', ['string']]]);
  if (streams.length === 0) return known;
  const ofStreams = new Set((await fields.types(principal, streams)).map(({ name }) => name));
  return new Map([...known].filter(([name]) => name === '_id' || ofStreams.has(name)));
}
