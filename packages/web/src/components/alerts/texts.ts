import { formatCount } from '../../lib/format/index.ts';

export const texts = {
  open: (duration: string) => `open ${duration}`,
  resolved: 'resolved',
  now: (value: string) => `Now ${value}.`,
  untitled: 'Alert',
  lasted: (duration: string) => `for ${duration}`,
  searchIt: 'Search it',
  resolve: 'Resolve',
  resolveOf: (title: string) => `Resolve ${title}`,
  noStream: 'It watches all messages; it is resolved when its event definition says so.',
  severalStreams:
    'It watches several streams; it is resolved when its event definition says so, or through the API.',
  thisStream: 'this stream',
  edit: 'Edit',
  test: 'Test',
  delete: 'Delete',
  deleteQuestion: (name: string) =>
    `Delete the condition “${name}”? Its open alerts are resolved; past alerts stay in the list.`,
  triggered: 'It is true now.',
  notTriggered: 'It is not true now.',
  failing: (count: number) =>
    `could not be checked ${count === 1 ? 'last time' : `${formatCount(count)} times`}`,
  muted: 'muted',
  alerting: 'alerting',
  grace: 'in grace time',
  watching: 'watching',
  off: 'switched off',
  mute: 'Mute 1 hour',
  unmute: 'Unmute',
  threshold: (value: string) => `Threshold ${value}`,
  course: (highest: string) => `Value over time, at most ${highest}`,
};

export const channelTexts = {
  heading: 'Notifications',
  about: 'All conditions of this stream use them.',
  none: 'Nobody is told',
  noneWhy: 'Alerts of this stream are only shown here. A notification sends them to people.',
  add: 'New notification',
  untitled: 'Without a title',
  edit: 'Edit',
  sendTest: 'Send test',
  sent: 'The test was sent.',
  ready: 'ready',
  off: 'off',
  mailOff: 'Mail is off: transport_email_hostname is not set in the configuration of the node.',
  typeOff: 'This type is off: an operator must switch it on in the configuration of the node.',
  how: 'How to switch it on',
  thisStream: 'this stream',
  thisNotification: 'this notification',
};
