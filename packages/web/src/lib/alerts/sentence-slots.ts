import type { SentencePart } from '../forms/index.ts';

/** By the name of the type. What is not named stands below the sentence. */
const WITH_SLOTS: Readonly<Record<string, string>> = {
  message_count: 'When {threshold_type} {threshold} messages match {query} in {time} minutes.',
  field_value:
    'When the {type} of {field} is {threshold_type} {threshold} over {time} minutes, in messages that match {query}.',
  field_content_value: 'When a message arrives in which {field} is {value} and which matches {query}.',
  silence: 'When no message that matches {query} comes for {time} minutes.',
  change:
    'When the {function} of {field} over {time} minutes {direction} by more than {percent} % against before, in messages that match {query}.',
};

/** The form of a condition as a sentence; nothing for types of others, whose forms are fields below each other. */
export function sentenceParts(
  type: string,
  fields: readonly { readonly name: string }[],
): readonly SentencePart[] | undefined {
  const sentence = WITH_SLOTS[type];
  if (sentence === undefined) return undefined;
  const parts = sentence
    .split(/(\{\w+\})/)
    .filter((part) => part !== '')
    .map((part): SentencePart => (part.startsWith('{') ? { field: part.slice(1, -1) } : { words: part }));
  // A field that a stored condition cannot show would leave a hole.
  const hasAll = parts.every((part) => !('field' in part) || fields.some(({ name }) => name === part.field));
  return hasAll ? parts : undefined;
}
