/** "tues", "september" and "years" begin with one of these. So does "monitor"; then the server says that it is no time. */
const BEGINNINGS =
  'last|past|previous|this|current|ago|now|noon|midnight|morning|afternoon|evening|night|to(?:day|night)|yesterday|sec|min|hour|hr|day|week|mon|quarter|year|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec';
const TIME_WORD = new RegExp(`\\b(?:${BEGINNINGS})`, 'i');

/**
 * Whether it is worth asking the server if a text is a time in words. Of most texts that people type here it would only
 * say that they are not.
 */
export function mayBeTimeWords(text: string): boolean {
  if (/^(?:today|yesterday)$/i.test(text)) return true;
  return /\s/.test(text) && /[a-z]/i.test(text) && (/\d/.test(text) || TIME_WORD.test(text));
}
