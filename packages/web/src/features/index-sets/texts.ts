import { countOf, formatCount } from '../../lib/format/index.ts';

export const texts = {
  title: 'Index sets',
  about:
    'Where messages are stored, and for how long. Each set is a row of indices: at a limit a new one begins, and old ones are deleted or closed.',
  newSet: 'New index set',
  find: 'Find an index set',
  findHint: 'Find title or prefix',
  empty: 'There is no index set you may read',
  emptyWhy: 'An administrator can give you a role that lets you read one.',
  noneFound: (text: string) => `No index set has “${text}” in its title or prefix`,
  showAll: 'Show all',
  set: 'Index set',
  kept: 'What is kept',
  messages: 'Messages',
  size: 'Size',
  actions: 'Actions',
  isDefault: 'default',
  readOnly: 'read only',
  edit: 'Edit',
  see: 'Settings',
  thisSet: 'this index set',
  thisIndex: 'this index',
  showIndices: (title: string) => `Indices of ${title}`,
  allIndices: (count: number) => `All ${countOf(count, 'index', 'indices')}`,
  indices: 'Indices',
  settings: 'Settings',
  allSets: 'All index sets',
  notFound: 'There is no such index set',
  notFoundWhy: 'It was deleted, or its address is wrong.',
  noStorage: 'The message storage is starting or does not answer: sizes are not known.',

  index: 'Index',
  state: 'State',
  range: 'Messages from … to',
  active: 'active',
  open: 'open',
  closed: 'closed',
  reopened: 'reopened',
  notSearched: 'not searched',
  noMessages: 'no messages',
  rotate: 'Rotate now',
  close: 'Close',
  reopen: 'Reopen',
  delete: 'Delete',
  notWritable: 'This index set is read only.',
  rotateQuestion: (name: string) => `Begin a new index now? New messages no longer go into ${name}.`,
  cancel: 'Cancel',
  rotated: (title: string) => `${title} writes into a new index`,
  closeQuestion: (name: string, count: number) =>
    `Close ${name}? Its ${countOf(count, 'message')} stay stored, but searches leave them out. An index that is reopened later is not deleted by the retention any more.`,
  closedDone: (name: string) => `${name} closed`,
  reopenQuestion: (name: string) =>
    `Reopen ${name}? Searches find its messages again, and the retention leaves it alone from then on: it stays until somebody deletes it.`,
  reopenedDone: (name: string) => `${name} reopened`,
  deleteQuestion: (name: string, count: number | undefined) =>
    count === undefined
      ? `Delete ${name} and all messages in it? They cannot be brought back.`
      : `Delete ${name} and its ${countOf(count, 'message')}? They cannot be brought back.`,
  deletedDone: (name: string) => `${name} deleted`,

  newAbout: 'Streams choose an index set: messages of the stream are stored there.',
  create: 'Create',
  save: 'Save',
  created: (title: string) => `Index set ${title} created`,
  saved: (title: string) => `Index set ${title} saved`,
  oneSet: 'index set',
  unsaved: 'What you changed in this index set is not saved.',
  name: 'Title',
  description: 'Description',
  prefix: 'Prefix of its indices',
  notAPrefix: 'Only lower-case letters, digits, _, + and -, beginning with a letter or digit.',
  prefixHelp: 'Lower-case letters, digits, _, + and -. It cannot be changed later.',
  rotation: 'A new index begins',
  retention: 'Old indices',
  preview: 'What this means',
  perDay: (count: number, bytes: string) =>
    `${formatCount(Math.round(count))} messages and ${bytes} a day arrive now.`,
  previewAbout: 'Nothing changes before you save.',
  incomplete: 'Something is missing or wrong in the form.',
  saveDeletes: 'Save and delete',
  saveQuestion: (effect: string) => `${effect} They cannot be brought back.`,

  defaultHeading: 'Default',
  isDefaultText: 'This is the default: new streams and “All messages” are stored here.',
  makeDefault: 'Make it the default',
  defaultQuestion: (title: string) =>
    `Make “${title}” the default? “All messages” and new streams are stored here from now on. What is stored stays where it is.`,
  madeDefault: (title: string) => `${title} is the default index set`,
  cannotBeDefault: 'It is for messages of the program itself, or read only.',
  writableHeading: 'Use by streams',
  isWritable: 'Streams can choose this index set.',
  isReadOnly: 'This index set is read only: streams cannot choose it, and it cannot be rotated by hand.',
  makeReadOnly: 'Make it read only',
  makeWritable: 'Make it writable',
  defaultIsWritable: 'The default index set must be writable. Make another one the default first.',
  readOnlyQuestion: (title: string, streams: number) =>
    `Make “${title}” read only? Streams cannot choose it any more.${
      streams === 0
        ? ''
        : ` ${countOf(streams, 'stream')} that ${streams === 1 ? 'uses' : 'use'} it ${streams === 1 ? 'goes' : 'go'} on storing messages here until ${streams === 1 ? 'it gets' : 'they get'} another one.`
    } What is stored can be searched as before.`,
  madeReadOnly: (title: string) => `${title} is read only`,
  madeWritable: (title: string) => `${title} is writable`,
  deleteHeading: 'Delete',
  deleteSet: 'Delete index set',
  deleteSetQuestion: (title: string, indices: number, messages: number | undefined) =>
    messages === undefined
      ? `Delete “${title}” with all its messages? They cannot be brought back.`
      : `Delete “${title}” with ${countOf(indices, 'index', 'indices')} and ${countOf(messages, 'message')}? They cannot be brought back.`,
  deletingSet: (title: string) => `Index set ${title} is being deleted`,
  defaultStays: 'The default index set cannot be deleted. Make another one the default first.',
  builtInStays: 'This index set is built in and cannot be deleted.',
  usedBy: (titles: readonly string[], more: number) =>
    `Used by ${titles.map((title) => `“${title}”`).join(', ')}${more > 0 ? ` and ${countOf(more, 'other stream')}` : ''}. Assign these streams another index set first.`,
};
