import { NumberInput, Select, Textarea, TextInput } from '@mantine/core';
import { type FocusEvent, Fragment, useId } from 'react';
import type { FormField, FormValues, SentencePart } from '../lib/forms/index.ts';
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
        {parts.map((part) => {
          if ('words' in part) return <Fragment key={part.words}>{part.words}</Fragment>;
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
const LEAST = { number: 6, choice: 8, text: 12 } as const;
const MOST = 60;

/** As wide as what stands in it. */
function Slot({ field, value, problemId, onChange, onBlur }: SlotProps) {
  const text = value === undefined || value === null ? '' : String(value);
  const common = {
    name: field.name,
    'aria-label': field.label,
    'aria-required': !field.isOptional,
    'aria-describedby': problemId,
    title: field.help,
    error: problemId !== undefined,
    onBlur,
    classNames: { root: classes.slot ?? '' },
    ...(field.placeholder === undefined ? {} : { placeholder: field.placeholder }),
  };
  switch (field.kind) {
    case 'number':
      return (
        <NumberInput
          {...common}
          style={{ width: width(text, LEAST.number) }}
          value={typeof value === 'number' ? value : text}
          allowDecimal={field.isWhole !== true}
          hideControls
          onChange={(next) => onChange(next === '' ? undefined : next)}
        />
      );
    case 'choice': {
      const label = field.choices.find((choice) => choice.value === value)?.label ?? text;
      return (
        <Select
          {...common}
          style={{ width: width(label, LEAST.choice, ARROW) }}
          comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
          allowDeselect={false}
          data={[...field.choices]}
          value={text}
          onChange={(next) => onChange(next ?? '')}
        />
      );
    }
    case 'textarea':
      return (
        <Textarea
          {...common}
          style={{ width: width(text, LEAST.text) }}
          value={text}
          autosize
          minRows={1}
          maxRows={8}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    default:
      return (
        <TextInput
          {...common}
          style={{ width: width(text, LEAST.text) }}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
  }
}

function width(text: string, least: number, more = 0): string {
  const longest = Math.max(...text.split('\n').map(({ length }) => length));
  return `${Math.min(MOST, Math.max(least, longest + EDGES) + more)}ch`;
}

/** The sentence for those who hear it: the names of the fields stand for what is in them. */
function readAloud(parts: readonly SentencePart[], fields: readonly FormField[]): string {
  return parts
    .map((part) =>
      'words' in part ? part.words : (fields.find(({ name }) => name === part.field)?.label ?? ''),
    )
    .join('');
}
