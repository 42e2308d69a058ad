import { NumberInput, Select, Textarea, TextInput } from '@mantine/core';
import type { CSSProperties, FocusEvent, ReactNode } from 'react';
import type { FormField } from '../lib/forms/index.ts';
import classes from './schema-form.module.css';

export interface FieldControlProps {
  readonly field: FormField;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  /** What every control takes: its name, what is wrong with it. */
  readonly common: CommonProps;
  /** It stands in a line of text: as small as it can be, and with no unit, which the text says. */
  readonly isInline?: boolean;
}

interface CommonProps {
  readonly name: string;
  readonly label?: ReactNode;
  readonly description?: string;
  readonly error?: ReactNode;
  readonly title?: string;
  readonly placeholder?: string;
  readonly style?: CSSProperties;
  readonly classNames?: { readonly root: string };
  readonly onBlur: (event: FocusEvent) => void;
  readonly 'aria-label'?: string;
  readonly 'aria-describedby'?: string | undefined;
  readonly 'aria-required': boolean;
}

export function textOf(value: unknown): string {
  return value === undefined || value === null ? '' : String(value);
}

/** A number, a choice or a text. An unknown kind of field is a text. */
export function FieldControl({ field, value, onChange, common, isInline = false }: FieldControlProps) {
  const text = textOf(value);
  switch (field.kind) {
    case 'number':
      return (
        <NumberInput
          {...common}
          classNames={common.classNames ?? { wrapper: classes.short ?? '' }}
          value={typeof value === 'number' ? value : text}
          suffix={field.unit === undefined || isInline ? '' : ` ${field.unit}`}
          allowDecimal={field.isWhole !== true}
          hideControls
          onChange={(next) => onChange(next === '' ? undefined : next)}
        />
      );
    case 'choice':
      return (
        <Select
          {...common}
          {...(isInline && { comboboxProps: { width: 'max-content', position: 'bottom-start' } as const })}
          allowDeselect={field.isOptional && !isInline}
          data={[...field.choices]}
          value={text}
          onChange={(next) => onChange(next ?? '')}
        />
      );
    case 'textarea':
      return (
        <Textarea
          {...common}
          value={text}
          autosize
          minRows={isInline ? 1 : 3}
          maxRows={isInline ? 8 : 12}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    default:
      return <TextInput {...common} value={text} onChange={(event) => onChange(event.currentTarget.value)} />;
  }
}
