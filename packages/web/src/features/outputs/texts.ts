import { countOf, formatBytes, formatCount, formatShare } from '../../lib/format/index.ts';
import { formatDuration } from '../../lib/time/index.ts';

/** What is known of an output that somebody wants to delete. */
export interface AboutOutput {
  readonly queued: number;
  /** Whether all nodes have said what waits. */
  readonly isStateKnown: boolean;
  /** How many the reader may read; undefined when that is not known. */
  readonly streams: number | undefined;
  /** Whether the reader may read every stream. */
  readonly seesAll: boolean;
}

function lostWithIt({ queued, isStateKnown }: AboutOutput): string {
  const are = queued === 1 ? 'is' : 'are';
  const lost =
    queued > 0 ? `, and so ${are} ${countOf(queued, 'message')} that ${are} not delivered yet` : '';
  if (isStateKnown) return lost;
  return `${lost}. Not all nodes have said what they hold: ${queued > 0 ? 'more' : 'messages'} may wait for delivery, and would be lost too`;
}

function whoUsesIt({ streams, seesAll }: AboutOutput): string {
  if (streams === undefined) return 'It is not known which streams use it.';
  if (streams === 0) return seesAll ? 'No stream uses it.' : 'No stream that you may read uses it.';
  return `${countOf(streams, 'stream')} ${streams === 1 ? 'sends' : 'send'} nothing to it any more.`;
}

export const texts = {
  title: 'Outputs',
  about: 'Where messages of streams are forwarded to, each through a queue on disk.',
  newOutput: 'New output',
  newAbout: 'It gets messages as soon as a stream uses it.',
  find: 'Find an output',
  findHint: 'Title, type, state or stream',
  empty: 'Nothing is forwarded',
  emptyWhy:
    'An output sends the messages of streams on to another system: an archive, a second node, a queue.',
  noneFound: (find: string) => `No output fits “${find}”`,
  showAll: 'Show all outputs',
  missingNodes: (count: number) => `${countOf(count, 'node')} did not answer; what it does is missing here.`,
  thisOutput: 'this output',
  more: (title: string) => `More for ${title}`,
  settings: 'Settings',
  streams: 'Streams',
  pause: 'Pause',
  resume: 'Resume',
  delete: 'Delete',
  deleteHeading: 'Delete this output',
  deleteQuestion: (title: string, known: AboutOutput) =>
    `Delete “${title}”? Its settings are lost${lostWithIt(known)}. ${whoUsesIt(known)} Stored messages stay.`,
  deleted: (title: string) => `Output ${title} deleted`,
  notFound: 'There is no such output',
  notFoundWhy: 'It was deleted, or the link is wrong.',
  allOutputs: 'All outputs',
  unused: 'no stream',
  unusedByReadable: 'none that you may read',
  usedBy: (titles: readonly string[]) =>
    titles.length <= 2 ? titles.join(', ') : `${titles[0]} and ${countOf(titles.length - 1, 'other')}`,
  queue: (messages: number, bytes: number) =>
    messages === 0 ? 'empty' : `${formatCount(messages)} (${formatBytes(bytes)})`,
  age: (ms: number) => `oldest ${formatDuration(ms)}`,
  columns: {
    state: 'State',
    title: 'Output',
    queue: 'Queue',
    rate: 'Sent',
    lost: 'Lost',
    usedBy: 'Used by',
    actions: 'Actions',
  },
};

export const formTexts = {
  unsaved: 'What you changed in this output is not saved.',
  type: 'Type',
  title: 'Title',
  untitled: 'An output needs a title.',
  create: 'Create',
  save: 'Save',
  saved: (title: string) => `Output ${title} saved`,
  queued: 'What waits in the queue is sent with the new settings.',
  unknownType: (type: string) =>
    `This version does not know the type ${type}. It can only be deleted here, or run by a version that knows it.`,
};

export const tabTexts = {
  state: 'State',
  streams: 'Streams',
  settings: 'Settings',
  node: 'Node',
  queue: 'Queue',
  full: (bytes: number, max: number) =>
    `${formatBytes(bytes)} of ${formatBytes(max)}${bytes > 0 ? ` (${formatShare(bytes / max)})` : ''}`,
  oldest: 'Oldest',
  rate: 'Sent now',
  sent: 'Sent',
  dropped: 'Dropped',
  refused: 'Refused',
  lastError: 'Last error',
  totals: 'Totals are since each node started.',
  droppedAbout: (count: number) =>
    `${countOf(count, 'message')} ${count === 1 ? 'was' : 'were'} never sent: the queue was full, or its disk failed. Give the queue more room in the settings, or find out why the destination is slow.`,
  refusedAbout: (count: number) =>
    `The destination does not take ${countOf(count, 'message')}. They are failures, with the reason.`,
  showFailures: 'Show failures',
  paused:
    'Paused: messages wait in the queue until it is resumed. Once the queue is full, messages are dropped.',
  noStreams: 'No stream uses this output',
  noReadableStreams: 'No stream that you may read uses this output',
  noStreamsWhy: 'It gets messages as soon as a stream is attached.',
  streamsAbout:
    'New messages of these streams are sent. A message goes to an output once, however many of its streams have it.',
  attach: 'Attach',
  attachLabel: 'Attach a stream',
  attachHint: 'Title of a stream',
  detach: 'Detach',
  detachQuestion: (title: string) =>
    `Send messages of “${title}” no longer to this output? What is queued is still sent.`,
  stream: 'Stream',
  thisStream: 'this stream',
};
