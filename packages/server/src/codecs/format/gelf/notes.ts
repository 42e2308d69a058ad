/**
 * What the decoder had to put right. A message carries its notes as bits (`Message.notes`), the decoder
 * counts them, and nothing writes a text per message.
 */
export const GELF_NOTES = [
  /** `version` is missing or not "1.1". */
  'unexpected_version',
  /** `host` is missing, blank or no text; `source` is the sender's address. */
  'host_missing',
  /** `host` was a number and became its text. */
  'host_converted',
  /** `short_message` is missing; `message` stands in for it. */
  'message_stands_in',
  /** `timestamp` is absent; allowed, the time of receipt is used. */
  'timestamp_missing',
  /** `timestamp` is not a time, or an absurd one; the time of receipt is used. */
  'timestamp_replaced',
  /** `timestamp` was a number in quotes. */
  'timestamp_converted',
  /** `level` was a number in quotes, a fraction or the name of a syslog level. */
  'level_converted',
  /** `level` is nothing that can be a level; the default is used, what was sent is in `original_level`. */
  'level_replaced',
  /** An additional field `_id`, which the server omits. */
  'id_dropped',
  /** A field name outside of `[\w.-]`. */
  'bad_field_name',
  /** A field name the server sets itself, or one the message had already. */
  'field_ignored',
  /** More keys than a message may have. */
  'too_many_fields',
  /** The JSON had raw control characters or trailing commas. */
  'lenient_json',
] as const;

export type GelfNote = (typeof GELF_NOTES)[number];

/** The bit of each note in `Message.notes`. */
export const GELF_NOTE_BIT = Object.freeze(
  Object.fromEntries(GELF_NOTES.map((note, index) => [note, 1 << index])),
) as Readonly<Record<GelfNote, number>>;

export type GelfNoteCounters = Record<GelfNote, number>;

export function newNoteCounters(): GelfNoteCounters {
  return Object.fromEntries(GELF_NOTES.map((note) => [note, 0])) as GelfNoteCounters;
}

/** The names of the notes of a message. */
export function gelfNoteNames(notes: number): GelfNote[] {
  return GELF_NOTES.filter((_, index) => (notes & (1 << index)) !== 0);
}
