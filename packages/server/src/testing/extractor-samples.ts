import type { NewExtractor, NewInput, Repositories } from '#metadata/index.ts';

export const INPUT: NewInput = {
  title: 'GELF',
  type: 'gelf-udp',
  global: true,
  nodeId: null,
  configuration: {},
  creator: 'admin',
  contentPack: null,
  desiredState: 'running',
};

export function anExtractor(inputId: string, changes: Partial<NewExtractor> = {}): NewExtractor {
  return {
    inputId,
    title: 'Status',
    type: 'regex',
    cursorStrategy: 'copy',
    sourceField: 'message',
    targetField: 'status',
    configuration: { regex_value: 'status=(\\d+)' },
    converters: [],
    conditionType: 'none',
    conditionValue: '',
    position: 0,
    creator: 'admin',
    ...changes,
  };
}

interface Seeded {
  readonly inputId: string;
  readonly extractorId: string;
}

type Sample = (repositories: Repositories, seeded: Seeded) => Promise<unknown>;

/** Calls of the repository of extractors, one for each function. */
export const EXTRACTOR_SAMPLES: {
  readonly extractors: { readonly [F in keyof Repositories['extractors']]: Sample };
} = {
  extractors: {
    insert: (r, { inputId }) => r.extractors.insert([anExtractor(inputId)]),
    update: (r, { inputId, extractorId }) => r.extractors.update(extractorId, anExtractor(inputId)),
    setPositions: (r, { inputId, extractorId }) =>
      r.extractors.setPositions(inputId, new Map([[extractorId, 3]])),
    disable: (r, { extractorId }) => r.extractors.disable(extractorId, 'slow'),
    remove: (r, { extractorId }) => r.extractors.remove(extractorId),
    find: (r, { extractorId }) => r.extractors.find(extractorId),
    list: async (r, { inputId }) => {
      await r.extractors.list(inputId);
      await r.extractors.list();
    },
  },
};
