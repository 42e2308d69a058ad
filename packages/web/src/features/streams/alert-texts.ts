import { countOf, formatBytes, formatCount } from '../../lib/format/index.ts';

export const alertTexts = {
  tab: 'Alerts',
  open: 'Open alerts',
  noneOpen: 'No alert is open.',
  past: 'Past alerts',
  nonePast: 'No alert was resolved yet.',
  more: (count: number) => `${formatCount(count)} more`,
  conditions: 'Conditions',
  noConditions: 'No condition watches this stream',
  noConditionsWhy:
    'A condition opens an alert when its messages are too many, too few, or say something bad.',
  newCondition: 'New condition',
};

export const outputTexts = {
  tab: 'Outputs',
  about:
    'New messages of this stream are also sent to these outputs. A message goes to an output once, however many of its streams have it.',
  none: 'This stream is not sent anywhere',
  noneWhy: 'Attach an output to forward its new messages to another system.',
  attach: 'Attach',
  attachLabel: 'Attach an output',
  newOutput: 'New output',
  type: 'Type',
  title: 'Title',
  untitled: 'An output needs a title.',
  create: 'Create and attach',
  unsaved: 'The new output is not made yet, and what you typed would be lost.',
  allAttached: 'All outputs are attached.',
  noOutputs: 'There is no output yet.',
  detach: 'Detach',
  detachQuestion: (title: string) =>
    `Send messages of this stream no longer to “${title}”? What is queued is still sent; the output stays.`,
  queue: (messages: number, bytes: number) =>
    messages === 0 ? 'nothing waits' : `${countOf(messages, 'message')} waiting (${formatBytes(bytes)})`,
  lost: (dropped: number, refused: number) =>
    [
      ...(dropped > 0 ? [`${formatCount(dropped)} dropped`] : []),
      ...(refused > 0 ? [`${formatCount(refused)} refused`] : []),
    ].join(', '),
  missingNodes: (count: number) => `${countOf(count, 'node')} did not answer; its part is missing here.`,
};
