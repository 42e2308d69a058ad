/**
 * The corrections the decoder makes. A message carries its notes as bits (`Message.notes`) and the decoder counts
 * them, so no text is written for each message.
 */
export const GELF_NOTES = [
  /** `version` is missing or not "1.1". */
  'unexpected_version',
  /** `host` is missing, blank or not a text; `source` is the sender's address. */
  'host_missing',
  /** `host` was a number and became its text. */
  'host_converted',
  /** `short_message` is missing; `message` is used instead. */
  'message_stands_in',
  /** `short_message` was a number and became its text. */
  'message_converted',
  /** `timestamp` is missing, which is allowed; the receive time is used. */
  'timestamp_missing',
  /** `timestamp` is not a plausible time; the receive time is used. */
  'timestamp_replaced',
  /** `timestamp` was a number in quotes, milliseconds or a text of ISO 8601. */
  'timestamp_converted',
  /** `level` was a number in quotes, a fraction or the name of a syslog level. */
  'level_converted',
  /** `level` is not a level; the default is used, and `original_level` keeps what was sent. */
  'level_replaced',
  /** An additional field `_id`, which the server omits. */
  'id_dropped',
  /** A field name outside of `[\w.-]`. */
  'bad_field_name',
  /** A field that the server sets itself, or that the message has already. */
  'field_ignored',
  /** More keys than a message may have. */
  'too_many_fields',
  /** The JSON had raw control characters, trailing commas, `NaN` or `Infinity`. */
  'lenient_json',
  /** There were bytes after the JSON object, which are ignored. */
  'trailing_bytes',
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
