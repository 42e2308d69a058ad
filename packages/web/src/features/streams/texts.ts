import { countOf } from '../../lib/format/index.ts';

export const texts = {
  title: 'Streams',
  about:
    'Rules put messages into streams while they arrive. Streams decide who may read them and where they are kept.',
  find: 'Find a stream',
  empty: 'There is no stream you may read',
  emptyWhy: 'An administrator can give you a role that lets you read one.',
  noneFound: (text: string) => `No stream has “${text}” in its name`,
  showAll: 'Show all',
  pause: 'Pause',
  resume: 'Resume',
  reEnable: 'Re-enable',
  builtIn: 'This stream is built in and always runs.',
  thisStream: 'this stream',
  rules: (count: number, all: boolean) =>
    count === 0 ? 'no rules' : `${countOf(count, 'rule')}${count === 1 ? '' : all ? ', all' : ', any'}`,
};
