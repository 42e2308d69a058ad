import { compile, JSONPathError } from 'json-p3';
import {
  type ConfigurationOf,
  type ConfigurationProblem,
  field,
  headerProblems,
  httpHeader,
  isHeader,
  types,
} from '#core/index.ts';
import { problemOfTemplate } from './url-template.ts';

const path = () => types.text({ minLength: 1, maxLength: 1000 });

export const httpJsonPathFields = {
  url: field(types.text({ minLength: 1, maxLength: 2000 }), {
    humanName: 'URL',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what people write.
    description: 'Where to ask. ${key} stands for the key; it can be in the path or in the query.',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what people write.
    placeholder: 'https://assets.example.org/hosts/${key}',
    receivesSecrets: true,
  }),
  single_value_jsonpath: field(path(), {
    humanName: 'JSONPath of the single value',
    description: 'Where in the answer the single value is. The path must lead to one place: $.owner.name',
    default: '$.value',
  }),
  multi_value_jsonpath: field(path(), {
    humanName: 'JSONPath of the multi value',
    description: 'Where in the answer the multi value is: an object, or a list, which becomes its value.',
    optional: true,
    placeholder: '$',
  }),
  user_agent: field(types.text({ minLength: 1, maxLength: 200 }), {
    humanName: 'User agent',
    description: 'The User-Agent header of the requests.',
    default: 'Millrace Lookup',
  }),
  headers: field(types.record(types.text({ maxLength: 2000 })), {
    humanName: 'Headers',
    description: 'Further headers, by name. Everybody who may see data adapters sees them.',
    default: {},
  }),
  secret_headers: field(types.list(httpHeader(types.secret())), {
    humanName: 'Secret headers',
    description: 'Further headers whose values nobody sees again, such as Authorization.',
    default: [],
  }),
  timeout: field(types.integer({ min: 1, max: 60_000 }), {
    humanName: 'Timeout',
    description: 'Milliseconds after which an answer no longer counts.',
    default: 10_000,
  }),
};

export type HttpJsonPathConfig = ConfigurationOf<typeof httpJsonPathFields>;

export function httpJsonPathProblems(config: HttpJsonPathConfig): readonly ConfigurationProblem[] {
  const problems: ConfigurationProblem[] = [];
  const url = problemOfTemplate(config.url);
  if (url !== undefined) problems.push({ path: 'url', message: url });
  problems.push(...pathProblems('single_value_jsonpath', config.single_value_jsonpath, true));
  if (config.multi_value_jsonpath !== undefined)
    problems.push(...pathProblems('multi_value_jsonpath', config.multi_value_jsonpath, false));
  for (const [name, value] of [
    ...Object.entries(config.headers),
    ['User-Agent', config.user_agent] as const,
  ]) {
    if (!isHeader(name, value))
      problems.push({ path: `headers.${name}`, message: 'has characters that an HTTP header cannot have' });
  }
  return [
    ...problems,
    ...headerProblems('secret_headers', config.secret_headers),
    ...duplicateProblems(config),
  ];
}

/** Names of headers are the same in upper and lower case. */
function duplicateProblems({ headers, secret_headers }: HttpJsonPathConfig): ConfigurationProblem[] {
  const seen = new Set<string>();
  const places = [
    ...Object.keys(headers).map((name) => ({ path: `headers.${name}`, name })),
    ...secret_headers.map(({ name }, index) => ({ path: `secret_headers[${index}].name`, name })),
  ];
  return places.flatMap(({ path, name }) => {
    const isNew = !seen.has(name.toLowerCase());
    seen.add(name.toLowerCase());
    return isNew ? [] : [{ path, message: `the header ${name} is there twice; leave one out` }];
  });
}

function pathProblems(field: string, text: string, isSingle: boolean): ConfigurationProblem[] {
  try {
    if (compile(text).singularQuery() || !isSingle) return [];
    return [
      { path: field, message: `"${text}" may lead to several values; the single value is at one place` },
    ];
  } catch (error) {
    if (!(error instanceof JSONPathError)) throw error;
    return [{ path: field, message: `"${text}" is not a JSONPath: ${error.message}` }];
  }
}
