import { isList, isMap, joinedTexts, textOf, type Value, type ValueMap } from '@millrace/rules';
import { type ConfigurationOf, field, types } from '#core/index.ts';
import { MAX_FIELDS, MAX_NAME_LENGTH, parseJson } from '../../rules/index.ts';
import { ALWAYS_SAFE, defineExtractorType, type Extracted } from '../extractor-type.ts';

/** Stands for an object that is not read. */
const UNREAD = '{…}';
/** Each stands many times in a text. */
const short = types.text({ minLength: 0, maxLength: 100 });

const fields = {
  flatten: field(types.boolean(), {
    humanName: 'Flatten structures',
    description: 'Whether an object inside becomes one field with a text, not a field for each of its keys.',
    default: false,
  }),
  list_separator: field(short, {
    humanName: 'List item separator',
    description: 'What to put between the elements of a list.',
    default: ', ',
    emptyIsValue: true,
  }),
  key_separator: field(short, {
    humanName: 'Key separator',
    description: 'What to put between the keys of objects inside of each other.',
    default: '_',
    emptyIsValue: true,
  }),
  kv_separator: field(short, {
    humanName: 'Key/value separator',
    description: 'What to put between key and value where structures are flattened.',
    default: '=',
    emptyIsValue: true,
  }),
  replace_key_whitespace: field(types.boolean(), {
    humanName: 'Replace whitespaces in keys',
    description: 'Whether white space in keys is replaced.',
    default: false,
  }),
  key_whitespace_replacement: field(short, {
    humanName: 'Key whitespace replacement',
    description: 'What to put in the place of white space in keys.',
    default: '_',
    emptyIsValue: true,
  }),
  key_prefix: field(short, {
    humanName: 'Key prefix',
    description: 'What the names of all fields start with.',
    default: '',
  }),
};

type JsonConfiguration = ConfigurationOf<typeof fields>;

export const json = defineExtractorType({
  id: 'json',
  wireType: 'org.graylog2.inputs.extractors.JsonExtractor',
  name: 'JSON',
  description: 'Reads a JSON object; each of its keys is a field.',
  fields,
  create: (_, config) => ({
    safeLength: ALWAYS_SAFE,
    extract(text) {
      const parsed = parseJson(text);
      return parsed !== undefined && isMap(parsed.value) ? piecesOf(parsed.value, config) : undefined;
    },
  }),
});

function piecesOf(json: ValueMap, config: JsonConfiguration): Extracted[] {
  const values = new Map<string, Value>();
  // What is too long already stays as it is, and no message takes it.
  const nameOf = (path: string) =>
    config.replace_key_whitespace && path.length <= MAX_NAME_LENGTH
      ? path.replaceAll(/\s/g, () => config.key_whitespace_replacement)
      : path;
  // The next one is the last of them.
  const open: [string, Value][] = [];
  const add = (prefix: string, map: ValueMap) => {
    for (const [key, value] of [...map].reverse()) open.push([prefix + key, value]);
  };
  add(config.key_prefix, json);
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    const [path, value] = entry;
    const name = nameOf(path);
    if (value === undefined) continue;
    if (!isMap(value)) values.set(name, plain(value, config));
    else if (config.flatten) values.set(name, flatText(value, config));
    else if (name.length <= MAX_NAME_LENGTH) add(name + config.key_separator, value);
    // No message takes the name, and says so. Names inside would get longer and longer, together without bound.
    else values.set(name, UNREAD);
    if (values.size > MAX_FIELDS) throw new Error(`the JSON has more than ${MAX_FIELDS} values`);
  }
  return [...values].map(([name, value]) => ({ field: name, value, begin: -1, end: -1 }));
}

function plain(value: Value, { list_separator: separator }: JsonConfiguration): Value {
  if (!isList(value)) return value;
  return joinedTexts(
    value.filter((each) => each !== undefined),
    separator,
    textOf,
  );
}

function flatText(map: ValueMap, config: JsonConfiguration): string {
  const entries = [...map].filter(([, value]) => value !== undefined);
  return joinedTexts(
    entries,
    config.list_separator,
    ([key, value]) => key + config.kv_separator + textOf(value),
  );
}
