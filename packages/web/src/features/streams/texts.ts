import { countOf, formatCount, formatList, formatShare, sentence } from '../../lib/format/index.ts';

/** What is deleted with a stream. */
export interface PartsOfStream {
  readonly rules: number;
  readonly conditions: number;
  readonly notifications: number;
}

export const texts = {
  title: 'Streams',
  about:
    'Rules put messages into streams while they arrive. Streams decide who may read them and where they are kept.',
  find: 'Find a stream',
  findHint: 'Find title, rule or index set',
  newStream: 'New stream',
  empty: 'There is no stream you may read',
  emptyWhy: 'An administrator can give you a role that lets you read one.',
  noneFound: (text: string) => `No stream has “${text}” in its title, rules or index set`,
  showAll: 'Show all',
  search: 'Search',
  pause: 'Pause',
  resume: 'Resume',
  reEnable: 'Re-enable',
  seeRules: 'See rules',
  edit: 'Edit rules',
  settings: 'Settings',
  clone: 'Clone',
  delete: 'Delete',
  cancel: 'Cancel',
  builtIn: 'This stream is built in and always runs.',
  builtInNoChange: 'This stream is built in and cannot be changed.',
  thisStream: 'this stream',
  titleLabel: 'Title',
  untitled: 'A stream needs a title.',
  description: 'Description',
  rules: (count: number, all: boolean) =>
    count === 0 ? 'no rules' : `${countOf(count, 'rule')}${count === 1 ? '' : all ? ', all' : ', any'}`,
  lastMinutes: 'Messages of each of the last 15 minutes',
  conditions: (count: number) => (count === 0 ? '' : countOf(count, 'condition')),
  selected: (count: number) => `${countOf(count, 'stream')} selected`,
  clear: 'Clear',
  failed: (count: number) => `This did not work for ${countOf(count, 'stream')}`,
  deleteQuestion: (title: string, { rules, conditions, notifications }: PartsOfStream) => {
    const parts = [
      ...(rules > 0 ? [countOf(rules, 'rule')] : []),
      ...(conditions > 0 ? [countOf(conditions, 'alert condition')] : []),
      ...(notifications > 0 ? [countOf(notifications, 'notification')] : []),
    ];
    return `Delete “${title}”? ${sentence(`${formatList([...parts, 'all rights to it'])} are lost`)}`;
  },
  deleteStored: (count: number, isRemoving: boolean) =>
    count === 0
      ? 'No message is stored in it.'
      : isRemoving
        ? `Its ${countOf(count, 'message')} stay stored, but they are in no other stream unless its rules matched too: only administrators will find them.`
        : `Its ${countOf(count, 'message')} stay stored in the other streams they are in.`,
  deleteMany: (count: number) =>
    `Delete ${countOf(count, 'stream')}? Their rules, alert conditions, notifications and all rights to them are lost. Messages stay stored.`,
  deleted: (title: string) => `Stream ${title} deleted`,
  cloneTitle: 'Title of the copy',
  cloneHelp: 'It has the same rules and starts paused.',
  copyOf: (title: string) => `${title} copy`.slice(0, 200),
};

export const ruleTexts = {
  newTitle: 'New stream',
  newAbout: 'Applies to new messages; stored ones stay where they are.',
  fromSearch: (query: string) => `Made from the search ${query}`,
  inWhen: 'In this stream when',
  all: 'all',
  any: 'any',
  of: 'of:',
  field: 'Field',
  condition: 'Condition',
  value: 'Value',
  input: 'Input',
  addRule: 'Rule',
  removeRule: (rule: string) => `Remove: ${rule}`,
  noRules: 'Without a rule no message gets into the stream.',
  share: (matched: number, looked: number) => formatShare(looked === 0 ? 0 : matched / looked),
  shareOf: (matched: number, looked: number) =>
    `${formatCount(matched)} of the ${formatCount(looked)} messages of the preview match this rule alone`,
  hasNoRule: (clause: string) => `${clause} has no rule.`,
  unfitTitle: 'Not everything of the search became a rule',
  preview: 'Preview',
  previewEmpty: 'Nothing is stored in this time.',
  wouldMatch: (matched: number) => `${countOf(matched, 'message')} would have matched`,
  ofLooked: (matched: number, looked: number, isComplete: boolean) =>
    `${formatShare(looked === 0 ? 0 : matched / looked)} of ${isComplete ? 'all' : 'the newest'} ${formatCount(looked)}`,
  matchedOverTime: 'Matching messages over time',
  matched: 'Matched',
  missed: 'Missed',
  noneMatched: 'No message of the preview matches.',
  noneMissed: 'Every message of the preview matches.',
  slow: (count: number) =>
    `The rules took too long on ${countOf(count, 'message')}. Such messages are not in the stream.`,
  wouldBeDisabled:
    'These rules are so slow that the stream would be disabled. Make the regular expressions simpler.',
  searchSame: (count: number) => `The search finds the same ${countOf(count, 'message')}.`,
  searchDiffers: (found: number, matched: number) =>
    `The search finds ${formatCount(found)} in the same time, the rules match ${formatCount(matched)}.`,
  tryOne: 'Try one message',
  inStream: 'In the stream',
  notInStream: 'Not in the stream',
  yes: 'yes',
  no: 'no',
  tookTooLong: 'took too long',
  missing: 'missing',
  saveAndStart: 'Save and start',
  savePaused: 'Save paused',
  apply: 'Apply',
  save: 'Save',
  discard: 'Discard',
  appliesToNew: 'Applies to new messages; stored ones stay where they are.',
  changes: 'Not applied yet',
  changesPaused: 'Not saved yet',
  added: (rule: string) => `added: ${rule}`,
  removed: (rule: string) => `removed: ${rule}`,
  changed: (before: string, after: string) => `${before} becomes ${after}`,
  matchingNow: (all: boolean) => (all ? 'all rules must match' : 'one matching rule is enough'),
  unsaved: 'The changed rules are not applied yet and would be lost.',
  unsavedNew: 'The new stream is not saved yet, and what you typed would be lost.',
  unsavedSettings: 'The changed settings are not saved yet and would be lost.',
  saved: (title: string) => `Stream ${title} saved`,
  started: (title: string) => `Stream ${title} runs`,
  rulesTab: 'Rules',
  settingsTab: 'Settings',
  indexSet: 'Index set',
  indexSetHelp: 'Where new messages of this stream are stored, and how long they are kept.',
  removeMatches: "Remove matches from 'All messages' stream",
  removeMatchesHelp: 'They are found in this stream only. Use it to keep them in another index set alone.',
  deleteHeading: 'Delete this stream',
  notFound: 'There is no such stream',
  notFoundWhy: 'It was deleted, or the link is wrong.',
  allStreams: 'All streams',
  running: 'running',
  disabledTitle: 'This stream is disabled',
};

/** Of the streams that are built in, by their ids. */
const BUILT_IN: Readonly<Record<string, string>> = {
  '000000000000000000000001': `Every message gets into this stream, unless a stream that it matches takes it out (“${ruleTexts.removeMatches}”).`,
  '000000000000000000000002':
    'Everything that alert conditions and event definitions find gets into this stream.',
  '000000000000000000000004':
    'Every message that could not be read or stored gets into this stream, with the reason.',
};

export function howMessagesGetIn(builtInId: string): string {
  return BUILT_IN[builtInId] ?? 'Messages get into this stream without rules.';
}
