import type { ExtractorView } from '@millrace/contract';
import { countOf } from '../../../lib/format/index.ts';

export const extractorTexts = {
  title: 'Extractors',
  one: 'extractor',
  about:
    'They read texts of new messages of this input into fields, from top to bottom: each sees what those above it have written.',
  newExtractor: 'New extractor',
  import: 'Import',
  export: 'Export',
  nothingToExport: 'There is no extractor to export.',
  many: 'extractors',
  find: 'Find an extractor',
  findHint: 'Find title, field or type',
  noneFound: (find: string) => `No extractor has “${find}” in its title, fields or type`,
  showAll: 'Show all',
  orderOfAll: 'The order is that of all extractors: show all of them to change it.',
  empty: 'This input has no extractors',
  emptyWhy:
    'An extractor takes a part of a text, such as the status of a request, and writes it into a field. For more than that there are pipelines.',
  columns: { title: 'Title', reads: 'Reads', counts: 'Texts read', problems: 'Problems', actions: 'Actions' },
  reads: (typeName: string, { source_field, target_field }: ExtractorView) =>
    target_field === ''
      ? `${typeName} of ${source_field}`
      : `${typeName} of ${source_field} → ${target_field}`,
  condition: ({ condition_type, condition_value }: ExtractorView) =>
    condition_type === 'none'
      ? undefined
      : condition_type === 'string'
        ? `only if it contains “${condition_value}”`
        : `only if ${condition_value} is found in it`,
  converted: (names: readonly string[]) => `then ${names.join(', ')}`,
  countsHelp: 'On this node, since it started.',
  edit: (title: string) => `Edit ${title}`,
  up: (title: string) => `Move ${title} up`,
  down: (title: string) => `Move ${title} down`,
  deleteOne: (title: string) => `Delete ${title}`,
  deleteQuestion: (title: string) =>
    `Delete the extractor “${title}”? New messages no longer get what it writes.`,
  delete: 'Delete',
  deleted: (title: string) => `Extractor ${title} deleted`,
  saved: (title: string) => `Extractor ${title} saved`,
  doesNotRun: 'does not run',
  whyDisabled: (reason: string) => `${reason} Saving it enables it again.`,
  unknownType: (type: string) => `This version does not know the type ${type}.`,
  type: 'Type',
  titleLabel: 'Title',
  source: 'Source field',
  sourceHelp: 'The field whose text is read.',
  target: 'Target field',
  targetHelp: 'The field that is written.',
  targetOfNaming: 'Only for converters: the type names its fields itself.',
  cut: 'What was found',
  cutHelp: 'message, source and timestamp are never cut.',
  cuts: { copy: 'stays in the source field', cut: 'is removed from the source field' },
  when: 'Reads',
  whens: {
    none: 'every text',
    string: 'texts that contain',
    regex: 'texts in which this regular expression is found',
  },
  whenValue: 'Text or expression',
  converters: 'Converters',
  convertersHelp: 'They change the text in the target field, one after the other.',
  addConverter: 'Add a converter',
  removeConverter: (name: string) => `Remove the converter ${name}`,
  create: 'Create',
  save: 'Save',
  leave: 'The changes of this extractor are not saved.',
  leaveImport: 'What you typed is not imported yet and would be lost.',
  tryIt: 'Try it on a message',
  waits: 'Waits until the form is complete.',
  notLookedAt: 'It does not read this message.',
  noSource: (field: string) => `This message has no text in the field ${field}.`,
  foundNothing: 'It finds nothing in this message.',
  wouldWrite: 'What it does',
  importAbout: 'An export of Millrace or Graylog. Its extractors are added to those that are there.',
  importLabel: 'Export',
  importHint: '{"extractors": [{"title": "Status", "extractor_type": "regex", …}]}',
  importFile: 'Read a file',
  notAnExport: 'This is no export: a JSON object with a list of extractors is needed.',
  importCount: (count: number) => `Import ${countOf(count, 'extractor')}`,
  imported: (count: number) => `${countOf(count, 'extractor')} imported`,
  leftOut: (count: number) => `${countOf(count, 'extractor')} could not be imported`,
  close: 'Close',
  cancel: 'Cancel',
};
