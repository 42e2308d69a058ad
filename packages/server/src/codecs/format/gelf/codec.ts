import { defineCodec } from '../codec.ts';
import { createGelfDecoder } from './decode.ts';
import { createGelfEncoder } from './encode.ts';
import { GELF_FAILURE_REASONS } from './failure.ts';
import { GELF_NOTES } from './notes.ts';

export const gelfCodec = defineCodec({
  id: 'gelf',
  wireType: 'gelf',
  // Records written before there were other codecs have this number, too.
  journalId: 0,
  name: 'GELF',
  description: 'Graylog Extended Log Format: one JSON object for each message.',
  fields: {},
  failureReasons: GELF_FAILURE_REASONS,
  notes: GELF_NOTES,
  create: (context) => createGelfDecoder(context),
  createEncoder: () => createGelfEncoder(),
});
