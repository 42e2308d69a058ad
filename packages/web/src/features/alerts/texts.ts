import { countOf, formatCount } from '../../lib/format/index.ts';

export const texts = {
  newTitle: 'New alert condition',
  editTitle: 'Alert condition',
  about:
    'Checked again and again on the messages of one stream. An alert opens when it is true and resolves by itself.',
  stream: 'Stream',
  thisStream: 'this stream',
  otherStream: 'You may not edit the stream of the search, so this is another one.',
  streamHelp: 'Only its messages count. Its notifications are sent.',
  manyStreams: 'A condition watches one stream; the search had several.',
  type: 'Alert when',
  title: 'Title',
  titleHelp: 'Shown in notifications. Without one, the sentence of the condition is enough.',
  create: 'Save and watch',
  save: 'Save',
  saved: 'Condition saved',
  notFound: 'There is no such condition',
  notFoundWhy: 'It was deleted, or you may not read its stream.',
  toStreams: 'All streams',
  partly: 'What this condition computes is changed through the API (/events/definitions); the rest is here.',
  preview: 'Last 24 hours',
  previewAbout: 'What it would have done to the messages that are stored. Nobody is notified.',
  incomplete: 'Fill in the form to see what it would have done.',
  wouldHave: (times: number) =>
    times === 0
      ? 'It would not have alerted.'
      : `It would have alerted ${formatCount(times)} ${times === 1 ? 'time' : 'times'}.`,
  notices: (count: number) =>
    count === 0 ? '' : `${countOf(count, 'notification')} for each channel of the stream.`,
  stillOpen: 'It would be alerting now.',
  threshold: (value: string) => `Threshold ${value}`,
  course: (highest: string) => `Value over the last 24 hours, at most ${highest}`,
};
