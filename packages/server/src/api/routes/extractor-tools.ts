import {
  containsStringTestedSchema,
  containsStringTestSchema,
  grokTestedSchema,
  grokTestSchema,
  jsonTestedSchema,
  jsonTestSchema,
  regexReplaceTestedSchema,
  regexReplaceTestSchema,
  regexTestedSchema,
  regexTestSchema,
  regexValidationQuerySchema,
  regexValidationSchema,
  splitAndIndexTestedSchema,
  splitAndIndexTestSchema,
  substringTestedSchema,
  substringTestSchema,
} from '@millrace/contract';
import { InvalidError } from '#core/index.ts';
import type { ExtractorTools, TestedPiece, TestResult } from '#processing/service.ts';
import { defineRoute, type Route } from '../route.ts';
import { testerRoutes } from './tester-routes.ts';

const tag = 'Tools';
const anybody = { kind: 'authenticated' } as const;

export interface ExtractorToolRouteDeps {
  readonly tools: ExtractorTools;
}

/** What extractors would do with a text. */
export function extractorToolRoutes(deps: ExtractorToolRouteDeps): Route[] {
  return [...patternRoutes(deps), validationRoute(deps), ...jsonRoutes(deps), ...positionRoutes(deps)];
}

/** What the tests have in common. */
const tester = (name: string, summary: string) => ({
  name,
  summary,
  permission: anybody,
  errors: ['unavailable'] as const,
});

function patternRoutes({ tools }: ExtractorToolRouteDeps): Route[] {
  return [
    ...testerRoutes({
      ...tester('regex_tester', 'Try a regular expression on a text'),
      test: regexTestSchema,
      tested: regexTestedSchema,
      run: async ({ string, regex }) => {
        const config = { regex_value: regex };
        const result = requireRead(await tools.test({ type: 'regex', config, text: string, regex }));
        return { matched: result.isFound, match: matchOf(result.pieces), regex, string };
      },
    }),
    ...testerRoutes({
      ...tester('regex_replace_tester', 'Try a replacement by a regular expression on a text'),
      test: regexReplaceTestSchema,
      tested: regexReplaceTestedSchema,
      run: async ({ string, regex, replacement, replace_all }) => {
        const config = { regex, replacement, replace_all };
        const result = requireRead(await tools.test({ type: 'regex_replace', config, text: string, regex }));
        const match = matchOf(result.pieces);
        return { matched: result.isFound, match, regex, replacement, replace_all, string };
      },
    }),
    ...testerRoutes({
      ...tester('grok_tester', 'Try a grok pattern on a text'),
      test: grokTestSchema,
      tested: grokTestedSchema,
      run: async ({ string, pattern, named_captures_only }) => {
        const config = { grok_pattern: pattern, named_captures_only };
        const result = await tools.test({ type: 'grok', config, text: string });
        const pieces = result.kind === 'read' ? result.pieces : [];
        return {
          matched: pieces.length > 0,
          matches: pieces.map(({ field = '', value }) => ({ name: field, match: String(value) })),
          pattern,
          string,
          error_message: result.kind === 'read' ? null : problemText(result),
        };
      },
    }),
  ];
}

function validationRoute({ tools }: ExtractorToolRouteDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/tools/regex_tester/validate',
    tag,
    summary: 'Check a regular expression',
    permission: anybody,
    query: regexValidationQuerySchema,
    responses: { 200: regexValidationSchema },
    errors: ['unavailable'],
    handler: async ({ query: { regex } }) => {
      const result = await tools.test({ type: 'regex', config: { regex_value: regex }, text: '' });
      const isValid = result.kind !== 'invalid';
      return { regex, is_valid: isValid, validation_message: isValid ? null : problemText(result) };
    },
  });
}

function jsonRoutes({ tools }: ExtractorToolRouteDeps): Route[] {
  return testerRoutes({
    ...tester('json_tester', 'Try to read a text as JSON'),
    test: jsonTestSchema,
    tested: jsonTestedSchema,
    run: async ({ string, ...config }) => {
      const result = await tools.test({ type: 'json', config, text: string });
      const { pieces } = requireRead(result);
      const matches = pieces.map(({ field = '', value }) => [
        field,
        typeof value === 'bigint' ? String(value) : value,
      ]);
      return {
        matches: Object.fromEntries(matches),
        flatten: config.flatten,
        line_separator: config.list_separator,
        key_separator: config.key_separator,
        kv_separator: config.kv_separator,
        string,
      };
    },
  });
}

function positionRoutes({ tools }: ExtractorToolRouteDeps): Route[] {
  return [
    ...testerRoutes({
      ...tester('split_and_index_tester', 'Try to split a text and take a part'),
      test: splitAndIndexTestSchema,
      tested: splitAndIndexTestedSchema,
      run: async ({ string, ...config }) => {
        const [piece] = requireRead(
          await tools.test({ type: 'split_and_index', config, text: string }),
        ).pieces;
        return cutView(piece, { begin: -1, end: -1 });
      },
    }),
    ...testerRoutes({
      ...tester('substring_tester', 'Try to take a part of a text by positions'),
      test: substringTestSchema,
      tested: substringTestedSchema,
      run: async ({ string, ...config }) => {
        const [piece] = requireRead(await tools.test({ type: 'substring', config, text: string })).pieces;
        return cutView(piece, { begin: config.begin_index, end: config.end_index });
      },
    }),
    ...testerRoutes({
      ...tester('contains_string_tester', 'Tell whether a text contains another one'),
      test: containsStringTestSchema,
      tested: containsStringTestedSchema,
      run: ({ string, search_string }) => {
        const start = string.indexOf(search_string);
        const match = start < 0 ? null : { start, end: start + search_string.length };
        return { matched: match !== null, match, search_string, string };
      },
    }),
  ];
}

type ReadResult = Extract<TestResult, { readonly kind: 'read' }>;

function requireRead(result: TestResult): ReadResult {
  if (result.kind === 'read') return result;
  if (result.kind === 'unreadable') throw new InvalidError(problemText(result), { path: 'string' });
  throw new InvalidError(problemText(result), { problems: problemsOf(result) });
}

function problemText(result: Exclude<TestResult, ReadResult>): string {
  if (result.kind === 'unreadable') return result.reason ?? 'The text does not have the form that is read.';
  return `${problemsOf(result)
    .map(({ path, message }) => `${path}: ${message}`)
    .join('; ')}.`;
}

/** One for each name: an expression is in the configuration and the condition of the extractor that is tried. */
function problemsOf({ problems }: Extract<TestResult, { readonly kind: 'invalid' }>) {
  const named = problems.map(({ path, message }) => ({ path: nameOf(path), message }));
  return named.filter(({ path }, index) => named.findIndex((each) => each.path === path) === index);
}

/** Tests name some fields differently than extractors. */
function nameOf(path: string): string {
  const name = path.slice(path.lastIndexOf('.') + 1);
  if (name === 'condition_value' || name === 'regex_value') return 'regex';
  return name === 'grok_pattern' ? 'pattern' : name;
}

function matchOf([piece]: readonly TestedPiece[]) {
  return piece === undefined ? null : { match: String(piece.value), start: piece.begin, end: piece.end };
}

function cutView(
  piece: TestedPiece | undefined,
  otherwise: { readonly begin: number; readonly end: number },
) {
  const { begin, end } = piece ?? otherwise;
  return {
    successful: piece !== undefined,
    cut: piece === undefined ? null : String(piece.value),
    begin_index: begin,
    end_index: end,
  };
}
