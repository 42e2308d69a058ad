import { type FocusEvent, Fragment, useId } from 'react';
import type { FormField, FormValues, SentencePart } from '../lib/forms/index.ts';
import { FieldControl, textOf } from './field-control.tsx';
import classes from './schema-form.module.css';

export interface SentenceFieldsProps {
  readonly parts: readonly SentencePart[];
  readonly fields: readonly FormField[];
  readonly values: FormValues;
  readonly problems: Readonly<Record<string, string>>;
  readonly change: (name: string, value: unknown) => void;
  readonly check: (field: FormField, event: FocusEvent) => void;
}

/** A form that is read as a sentence: what can be changed stands where it is said. What is wrong is said below. */
export function SentenceFields({ parts, fields, values, problems, change, check }: SentenceFieldsProps) {
  const id = useId();
  const named = fields.filter(({ name }) => parts.some((part) => 'field' in part && part.field === name));
  return (
    <div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot flow like text */}
      <div className={classes.sentence} role="group" aria-label={readAloud(parts, named)}>
        {parts.map((part, at) => {
          // biome-ignore lint/suspicious/noArrayIndexKey: words may stand twice in a sentence, and stay where they are
          if ('words' in part) return <Fragment key={at}>{part.words}</Fragment>;
          const field = named.find(({ name }) => name === part.field);
          return (
            field && (
              <Slot
                key={part.field}
                field={field}
                value={values[field.name]}
                problemId={problems[field.name] === undefined ? undefined : `${id}-${field.name}`}
                onChange={(value) => change(field.name, value)}
                onBlur={(event) => check(field, event)}
              />
            )
          );
        })}
      </div>
      {named
        .filter(({ name }) => problems[name] !== undefined)
        .map(({ name, label }) => (
          <p key={name} id={`${id}-${name}`} className={classes.problem}>
            {`${label}: ${problems[name]}`}
          </p>
        ))}
    </div>
  );
}

interface SlotProps {
  readonly field: FormField;
  readonly value: unknown;
  readonly problemId: string | undefined;
  readonly onChange: (value: unknown) => void;
  readonly onBlur: (event: FocusEvent) => void;
}

/** Room for the edges of a control, and for the arrow of a choice. */
const EDGES = 3;
const ARROW = 3;
const LEAST: Partial<Record<FormField['kind'], number>> = { number: 6, choice: 8 };
const LEAST_TEXT = 12;
const MOST = 60;

function Slot({ field, value, problemId, onChange, onBlur }: SlotProps) {
  const common = {
    name: field.name,
    'aria-label': field.label,
    'aria-required': !field.isOptional,
    'aria-describedby': problemId,
    title: field.help,
    error: problemId !== undefined,
    onBlur,
    classNames: { root: classes.slot ?? '' },
    style: { width: `${widthOf(field, value)}ch` },
    ...(field.placeholder === undefined ? {} : { placeholder: field.placeholder }),
  };
  return <FieldControl {...{ field, value, onChange, common }} isInline />;
}

/** As wide as what stands in it. */
function widthOf({ kind, choices }: FormField, value: unknown): number {
  const text = choices.find((choice) => choice.value === value)?.label ?? textOf(value);
  const longest = Math.max(...text.split('\n').map(({ length }) => length));
  const wanted = Math.max(LEAST[kind] ?? LEAST_TEXT, longest + EDGES) + (kind === 'choice' ? ARROW : 0);
  return Math.min(MOST, wanted);
}

/** The sentence for those who hear it: the names of the fields stand for what is in them. */
function readAloud(parts: readonly SentencePart[], fields: readonly FormField[]): string {
  return parts
    .map((part) =>
      'words' in part ? part.words : (fields.find(({ name }) => name === part.field)?.label ?? ''),
    )
    .join('');
}
