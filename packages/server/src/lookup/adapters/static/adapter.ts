import { field, types } from '#core/index.ts';
import { defineAdapter } from '../../adapter-type.ts';

const MAX_ENTRIES = 10_000;

export const staticAdapter = defineAdapter({
  id: 'static',
  name: 'Static map',
  description: 'Keys and values that are part of the configuration. For short lists that rarely change.',
  fields: {
    entries: field(
      types.list(
        types.object({
          key: field(types.text({ maxLength: 1000 }), {
            humanName: 'Key',
            description: 'What is looked up.',
          }),
          value: field(types.text({ maxLength: 10_000 }), {
            humanName: 'Value',
            description: 'What is found.',
          }),
        }),
      ),
      { humanName: 'Entries', description: 'If a key is there twice, the last one counts.', default: [] },
    ),
    case_insensitive_lookup: field(types.boolean(), {
      humanName: 'Ignore case',
      description: 'Whether upper and lower case of keys are the same.',
      default: false,
    }),
  },
  check: ({ entries }) =>
    entries.length > MAX_ENTRIES
      ? [{ path: 'entries', message: `has ${entries.length} entries; at most ${MAX_ENTRIES} are possible` }]
      : [],
  create: (_context, { entries, case_insensitive_lookup: ignoresCase }) => {
    let isLoaded = false;
    return {
      kind: 'loading',
      async load() {
        // A new configuration is a new adapter.
        if (isLoaded) return undefined;
        isLoaded = true;
        return {
          kind: 'map',
          ignoresCase,
          entries: new Map(entries.map(({ key, value }) => [ignoresCase ? key.toLowerCase() : key, value])),
        };
      },
    };
  },
});
