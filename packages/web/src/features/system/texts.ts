import { countOf } from '../../lib/format/index.ts';

export const texts = {
  title: 'System',
  parts: {
    notifications: 'Notifications',
    events: 'System messages',
    audit: 'Audit log',
    jobs: 'Jobs',
    settings: 'Settings',
    plugins: 'Plugins',
    licences: 'Licences',
  },
  partsLabel: 'Parts of the system',
  noSuchPart: 'There is no such page',
  noSuchPartWhy: 'The address may be mistyped.',
  node: 'Node',
  time: 'Time',
  state: 'State',
  actions: 'Actions',
  showAll: 'Show all',
};

export const notificationTexts = {
  about: 'What needs the attention of an operator. One that is dismissed comes back while its cause lasts.',
  none: 'All is well',
  noneWhy:
    'What needs your attention, such as an input that cannot start or a journal that fills up, is shown here.',
};

export const eventTexts = {
  about: 'What the nodes did by themselves and what was done to them, newest first.',
  from: 'From',
  message: 'Message',
  none: 'There are no system messages yet',
};

export const auditTexts = {
  about: 'Every change and every log-in, newest first. Entries cannot be changed or deleted here.',
  find: 'Find in the audit log',
  findHint: 'Text anywhere in an entry',
  actor: 'User',
  actorHint: 'exact name',
  action: 'Action',
  actionHint: 'such as user.create',
  outcome: 'Outcome',
  since: 'Since',
  anyOutcome: 'any',
  success: 'success',
  failure: 'failure',
  object: 'Object',
  address: 'Address',
  sinceChoices: {
    '1h': 'an hour ago',
    '1d': 'a day ago',
    '7d': '7 days ago',
    '30d': '30 days ago',
    all: 'ever',
  },
  none: 'No entry fits',
  noneWhy: 'Take a filter away to see more.',
  empty: 'Nothing was recorded yet',
  details: 'Details',
  before: 'Before',
  after: 'After',
  noDetails: 'Nothing more is known of this entry.',
};

export const jobTexts = {
  about: 'Work that takes long and runs in the background. A job ends by itself; some can be cancelled.',
  none: 'No job is running',
  noneWhy: 'Deleting an index set with its messages, for example, is a job while it runs.',
  silent: (count: number) => `${countOf(count, 'node')} did not answer; jobs there are missing here.`,
  job: 'Job',
  progress: 'Progress',
  started: 'Started',
  cancel: 'Cancel',
  cancelNo: 'This job cannot be cancelled.',
  thisJob: 'this job',
  percent: (percent: number) => `${percent} %`,
};

export const settingTexts = {
  about:
    'Settings in force on the node that answers, as in its configuration file. Secrets are left out. A change needs a restart.',
  find: 'Find a setting',
  findHint: 'Name or value',
  setting: 'Setting',
  value: 'Value',
  none: (find: string) => `No setting has “${find}” in its name or value`,
  notSet: 'not set',
};

export const pluginTexts = {
  about: 'Plugins of the node that answers. They are installed with npm run plugin, not from here.',
  none: 'There is no plugin',
  noneWhy:
    'A plugin adds types of inputs, outputs, functions and more. It is a package in the plugin folder.',
  plugin: 'Plugin',
  adds: 'Adds',
  faults: 'Faults',
  switchOn: 'Enable',
  switchOff: 'Switch off',
  thisPlugin: 'this plugin',
  offQuestion: (name: string) =>
    `Switch ${name} off on this node? What it adds stops working: its inputs receive nothing, its outputs send nothing.`,
  states: { running: 'running', switched_off: 'switched off', failed: 'failed' },
};

export const licenceTexts = {
  about: 'The packages of others that this version is made of, with their licences.',
  find: 'Find a package',
  findHint: 'Name or licence',
  package: 'Package',
  version: 'Version',
  licence: 'Licence',
  text: (name: string) => `Licence of ${name}`,
  show: 'Show the text',
  hide: 'Hide the text',
  noText: 'The package has no file with the text of its licence.',
  none: (find: string) => `No package has “${find}” in its name or licence`,
};
