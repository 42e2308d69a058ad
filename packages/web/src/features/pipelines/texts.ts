import type { PipelinePreviewView, PreviewedMessageView } from '@millrace/contract';
import { countOf, formatCount } from '../../lib/format/index.ts';

const named = (titles: readonly string[]) =>
  titles.length <= 2
    ? titles.map((title) => `“${title}”`).join(' and ')
    : `“${titles[0]}” and ${countOf(titles.length - 1, 'other')}`;

export const texts = {
  title: 'Pipelines',
  sections: {
    pipelines: {
      title: 'Pipelines',
      about: 'Pipelines run rules, stage by stage, on the messages of the streams they are connected to.',
    },
    rules: {
      title: 'Rules',
      about: 'A rule looks at a message and changes it: parses texts into fields, moves it, drops it.',
    },
    simulator: {
      title: 'Simulator',
      about: 'What the connected pipelines do to a message, rule by rule. Nothing is stored.',
    },
    grok: {
      title: 'Grok patterns',
      about: 'Named parts of patterns, which rules and extractors write as %{NAME}.',
    },
    lookup: {
      title: 'Lookup tables',
      about: 'Values by keys, from files and other sources, for rules that look something up.',
    },
  },
  columns: {
    title: 'Title',
    usedIn: 'Used in',
    modified: 'Changed',
    stages: 'Stages',
    streams: 'Streams',
    actions: 'Actions',
  },
  description: 'Description',
  create: 'Create',
  save: 'Save',
  saved: (title: string) => `${title} saved`,
  delete: 'Delete',
  deleteOne: (title: string) => `Delete ${title}`,
  problemsFirst: 'Solve the problems below the editor first.',
  unchanged: 'Nothing has changed.',
  leave: (what: string) => `The changes of this ${what} are not saved.`,
};

/** There may be others, for somebody who does not see all. */
const noPipeline = (seesAll: boolean) => (seesAll ? 'No pipeline' : 'No pipeline that you may read');

export const ruleTexts = {
  title: 'Rules',
  one: 'rule',
  newRule: 'New rule',
  newAbout: 'Its name is the text after “rule”. It runs as soon as a pipeline uses it.',
  cancel: 'Cancel',
  source: 'Source of the rule',
  thisRule: 'this rule',
  find: 'Find a rule',
  findHint: 'Title, description or text',
  noneFound: (find: string) => `No rule contains “${find}”`,
  showAll: 'Show all rules',
  empty: 'There is no rule yet',
  emptyWhy:
    'A rule says when something happens to a message and what: when it has a field, then set another one. Pipelines run rules.',
  usedIn: (titles: readonly string[]) => (titles.length === 0 ? 'no pipeline' : named(titles)),
  usedBy: 'Used by',
  inStages: (stages: readonly number[]) =>
    `(${stages.length === 1 ? 'stage' : 'stages'} ${stages.join(', ')})`,
  unusedAbout: (seesAll: boolean) => `${noPipeline(seesAll)} uses it: add it to a stage of one.`,
  disabled: 'disabled',
  broken: 'broken',
  doesNotRun: 'This rule does not run',
  whyDisabled: (reason: string) => `${reason} Saving it enables it again.`,
  deleteHeading: 'Delete this rule',
  deleteQuestion: (title: string, pipelines: readonly string[], seesAll: boolean) =>
    pipelines.length === 0
      ? `Delete the rule “${title}”? ${noPipeline(seesAll)} uses it.`
      : `Delete the rule “${title}”? ${named(pipelines)} ${pipelines.length === 1 ? 'goes' : 'go'} on without it.`,
  deleted: (title: string) => `Rule ${title} deleted`,
  notFound: 'There is no such rule',
  notFoundWhy: 'It was deleted, or the link is wrong.',
};

export const pipelineTexts = {
  title: 'Pipelines',
  one: 'pipeline',
  newPipeline: 'New pipeline',
  newName: 'new pipeline',
  newAbout: 'Put rules into stages; then connect it to streams.',
  oneAbout: 'Stages run by their numbers, together with those of other pipelines of the same stream.',
  cancel: 'Cancel',
  thisPipeline: 'this pipeline',
  find: 'Find a pipeline',
  findHint: 'Title, description or rule',
  noneFound: (find: string) => `No pipeline contains “${find}”`,
  showAll: 'Show all pipelines',
  empty: 'There is no pipeline yet',
  emptyWhy:
    'A pipeline runs rules on the messages of streams, before they are stored. Write a rule first, then put it into a pipeline.',
  size: (stages: number, rules: number) => `${countOf(stages, 'stage')}, ${countOf(rules, 'rule')}`,
  notConnected: (seesAll: boolean) => (seesAll ? 'no stream' : 'no stream that you may read'),
  streams: (titles: readonly string[]) =>
    titles.length <= 2 ? titles.join(', ') : `${titles[0]} and ${countOf(titles.length - 1, 'other')}`,
  broken: 'broken',
  editAs: 'Edit as',
  stages: 'Stages',
  source: 'Source',
  name: 'Name',
  mendFirst: 'The source has problems. Mend them in the source first.',
  commentsAreLost: 'Changes of the stages write the source anew: its comments are lost.',
  addStage: 'Add a stage',
  stageNumber: 'Stage',
  numberTaken: 'Taken by another stage',
  goOn: 'Goes on to the next stage',
  goOnLast: 'Goes on to later stages',
  match: {
    all: 'if all of its rules match',
    either: 'if at least one of its rules matches',
    pass: 'always',
  },
  removeStage: (stage: number) => `Remove stage ${stage}`,
  noRules: 'No rule yet.',
  addRule: (stage: number) => `Add a rule to stage ${stage}`,
  addRuleHint: 'Add a rule',
  noSuchRule: 'There is no such rule',
  unknownRule: 'There is no rule with this name that you may read: it does nothing here.',
  up: (title: string) => `Move ${title} up`,
  down: (title: string) => `Move ${title} down`,
  removeRule: (title: string) => `Remove ${title}`,
  connectedStreams: 'Connected streams',
  connectedHelp: 'It changes new messages of these streams; what is stored stays as it is.',
  chooseStreams: 'Choose streams',
  chooseFirst: 'Choose other streams first.',
  leaveConnections: 'The chosen streams are not connected yet.',
  connect: 'Connect',
  connected: (count: number) => `Connected to ${countOf(count, 'stream')}`,
  doesNothing: (seesAll: boolean) =>
    `It is connected to ${seesAll ? 'no stream' : 'no stream that you may read'}: choose one, and it begins to work.`,
  deleteHeading: 'Delete this pipeline',
  deleteQuestion: (title: string, streams: readonly string[], seesAll: boolean) =>
    streams.length === 0
      ? `Delete the pipeline “${title}”? ${seesAll ? 'No stream' : 'No stream that you may read'} uses it. Its rules stay.`
      : `Delete the pipeline “${title}”? It no longer changes the messages of ${named(streams)}. Its rules stay.`,
  deleted: (title: string) => `Pipeline ${title} deleted`,
  notFound: 'There is no such pipeline',
  notFoundWhy: 'It was deleted, or the link is wrong.',
};

export const trialTexts = {
  title: 'Try one message',
  stream: 'As a message of the stream',
  anyStream: 'Its own streams',
  withAll: 'With all pipelines',
  waits: 'Waits until the source has no problems.',
  trace: 'What the rules did',
  nothingRan: 'No rule ran: no pipeline is connected to a stream of this message.',
  traceIsCut: 'Too many rules ran to show all of them.',
  stage: (stage: number) => `stage ${stage}`,
  matched: 'matched',
  noMatch: 'no match',
  failed: 'failed',
  took: (us: number) => `${formatCount(us)} µs`,
  ofCreated: (message: number) => `for created message ${message}`,
  dropped: 'The message is dropped.',
  stored: (count: number, us: number) =>
    count === 0
      ? `Nothing would be stored (${formatCount(us)} µs)`
      : `${countOf(count, 'message')} would be stored (${formatCount(us)} µs)`,
  history: 'On history',
  examples: 'Messages to which something would happen',
  tryThis: 'Try this message',
  summary(found: PipelinePreviewView): string {
    const { looked_at, is_complete, changed, dropped, rerouted, created, failed } = found;
    if (looked_at === 0) return 'No message is stored in this time.';
    const parts = [
      `${formatCount(changed)} changed`,
      dropped > 0 && `${formatCount(dropped)} dropped`,
      rerouted > 0 && `${formatCount(rerouted)} moved to other streams`,
      created > 0 && `${formatCount(created)} created`,
      failed > 0 && countOf(failed, 'error'),
    ].filter((part) => part !== false);
    return `${is_complete ? 'All' : 'Newest'} ${formatCount(looked_at)}: ${parts.join(', ')}`;
  },
  wouldBeDisabled: (rules: readonly string[]) =>
    `${named(rules)} took too long too often: a running node would disable it.`,
  tablesLeftOut: (tables: readonly string[]) =>
    `The data of the lookup ${tables.length === 1 ? 'table' : 'tables'} ${tables.map((table) => `“${table}”`).join(', ')} is on another server, which is not asked for past messages. Rules see the defaults. Try one message to see what a lookup finds.`,
  others({ dropped, streams_added, streams_removed, created_count, errors }: PreviewedMessageView): string {
    return [
      dropped && 'Dropped.',
      streams_added.length > 0 && `Added to ${countOf(streams_added.length, 'stream')}.`,
      streams_removed.length > 0 && `Removed from ${countOf(streams_removed.length, 'stream')}.`,
      created_count > 0 && `${countOf(created_count, 'message')} created.`,
      ...errors,
    ]
      .filter((part) => part !== false)
      .join(' ');
  },
};
