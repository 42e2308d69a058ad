/** One field of a form that a component of the server describes. Whatever the description was, this is what it becomes. */
export interface FormField {
  readonly name: string;
  readonly kind: 'text' | 'textarea' | 'secret' | 'number' | 'boolean' | 'choice' | 'list' | 'rows' | 'names';
  readonly label: string;
  readonly help: string;
  readonly defaultValue: unknown;
  readonly isOptional: boolean;
  readonly choices: readonly Choice[];
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly isWhole?: boolean | undefined;
  readonly maxLength?: number | undefined;
  /** What a text must look like, and what is said otherwise. */
  readonly pattern?: { readonly test: RegExp; readonly problem: string } | undefined;
  readonly unit?: string | undefined;
  /** Of each row. */
  readonly fields?: readonly FormField[] | undefined;
  readonly placeholder?: string | undefined;
  /** Fields that few people need are folded away under a heading; the others have none. */
  readonly group?: string | undefined;
  /** Only shown while another field has this value. */
  readonly dependsOn?: { readonly field: string; readonly value: unknown } | undefined;
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** Of a form that reads as a sentence: words, or a field that stands between them. */
export type SentencePart = { readonly words: string } | { readonly field: string };

export type FormValues = Readonly<Record<string, unknown>>;

export const MORE = 'More';

/** `max_docs_per_index` as `Max docs per index`, where a description has no better name. */
export function readableName(name: string): string {
  const words = name.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
