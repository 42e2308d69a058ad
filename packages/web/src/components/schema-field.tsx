import {
  Button,
  NumberInput,
  PasswordInput,
  Select,
  Switch,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core';
import { type FocusEvent, useState } from 'react';
import type { FormField } from '../lib/forms/index.ts';
import classes from './schema-form.module.css';

export interface SchemaFieldProps {
  readonly field: FormField;
  readonly value: unknown;
  readonly problem: string | undefined;
  /** It belongs to something that exists: a secret is not shown then, only replaced. */
  readonly isStored: boolean;
  readonly onChange: (value: unknown) => void;
  readonly onBlur: (event: FocusEvent) => void;
}

/** The control that fits a field. */
export function SchemaField(props: SchemaFieldProps) {
  const { field, value, problem, onChange, onBlur } = props;
  const common = {
    name: field.name,
    label: field.isOptional && field.group === undefined ? <OptionalLabel text={field.label} /> : field.label,
    description: field.help,
    error: problem,
    onBlur,
    'aria-required': !field.isOptional,
    ...(field.placeholder === undefined ? {} : { placeholder: field.placeholder }),
  };
  const text = typeof value === 'string' ? value : value === undefined || value === null ? '' : String(value);
  switch (field.kind) {
    case 'boolean':
      return (
        <Switch
          name={field.name}
          label={field.label}
          description={field.help}
          error={problem}
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case 'number':
      return (
        <NumberInput
          {...common}
          classNames={{ wrapper: classes.short ?? '' }}
          value={typeof value === 'number' ? value : text}
          suffix={field.unit === undefined ? '' : ` ${field.unit}`}
          allowDecimal={field.isWhole !== true}
          hideControls
          onChange={(next) => onChange(next === '' ? undefined : next)}
        />
      );
    case 'choice':
      return (
        <Select
          {...common}
          data={[...field.choices]}
          value={text}
          onChange={(next) => onChange(next ?? '')}
        />
      );
    case 'list':
      return (
        <TagsInput {...common} value={Array.isArray(value) ? value.map(String) : []} onChange={onChange} />
      );
    case 'textarea':
      return (
        <Textarea
          {...common}
          value={text}
          autosize
          minRows={3}
          maxRows={12}
          onChange={(e) => onChange(e.currentTarget.value)}
        />
      );
    case 'secret':
      return <SecretField {...props} common={common} text={text} />;
    case 'text':
      return <TextInput {...common} value={text} onChange={(event) => onChange(event.currentTarget.value)} />;
  }
}

/** A secret that is stored is never put into the page again; it can only be replaced. */
function SecretField(props: SchemaFieldProps & { readonly common: object; readonly text: string }) {
  const { common, text, isStored, onChange } = props;
  const [isReplacing, setReplacing] = useState(!isStored || text === '');
  if (isReplacing) {
    return (
      <PasswordInput
        {...common}
        value={text}
        autoComplete="new-password"
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  const replace = () => {
    onChange('');
    setReplacing(true);
  };
  return (
    <div className={classes.secret}>
      <TextInput {...common} value="••••••••" readOnly />
      <Button onClick={replace}>Replace</Button>
    </div>
  );
}

/** Most open fields are needed; what is folded away never is. Only the exception is marked. */
function OptionalLabel({ text }: { readonly text: string }) {
  return (
    <>
      {text} <span className={classes.optional}>optional</span>
    </>
  );
}
