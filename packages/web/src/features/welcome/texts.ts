import { countOf } from '../../lib/format/index.ts';

export const texts = {
  title: 'Three steps to your first message',
  about: 'Programs send their log messages to an input. Millrace stores them, and you find them again.',
  steps: ['Start an input', 'Send a message', 'See it arrive'] as const,
  noInput: 'No input is running yet. GELF over HTTP is the easiest to try: curl can send it.',
  noInputNotAllowed:
    'No input is running yet, and starting one needs inputs:create. Ask an administrator to start one; this page goes on by itself.',
  type: 'Type',
  start: 'Start the input',
  input: 'Input to send to',
  send: 'Run this in a terminal:',
  address: 'Address',
  sendForMe: 'Send one for me',
  onlyHere: (address: string) =>
    `This input listens on ${address}: only the machine that Millrace runs on can send to it.`,
  noExample: (type: string) => `Point a sender of ${type} messages at this address.`,
  waiting: 'Waiting for the first message …',
  stored: (count: number) =>
    count === 1 ? 'One message is stored.' : `${countOf(count, 'message')} are stored.`,
  newest: 'The newest one',
  goOn: 'Go on',
};
