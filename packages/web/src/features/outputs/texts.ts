import { countOf, formatBytes, formatCount, formatShare } from '../../lib/format/index.ts';
import { formatDuration } from '../../lib/time/index.ts';

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
  deleteQuestion: (title: string, queued: number, streams: number) =>
    `Delete “${title}”? Its settings are lost${queued > 0 ? `, and so ${queued === 1 ? 'is' : 'are'} ${countOf(queued, 'message')} that ${queued === 1 ? 'is' : 'are'} not delivered yet` : ''}. ${streams === 0 ? 'No stream uses it.' : `${countOf(streams, 'stream')} ${streams === 1 ? 'sends' : 'send'} nothing to it any more.`} Stored messages stay.`,
  deleted: (title: string) => `Output ${title} deleted`,
  notFound: 'There is no such output',
  notFoundWhy: 'It was deleted, or the link is wrong.',
  allOutputs: 'All outputs',
  unused: 'no stream',
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
