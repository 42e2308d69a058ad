import { Button, PasswordInput, Switch, TagsInput, TextInput } from '@mantine/core';
import { type FocusEvent, useState } from 'react';
import type { FormField } from '../lib/forms/index.ts';
import { FieldControl, textOf } from './field-control.tsx';
import { OptionalLabel } from './optional-label.tsx';
import { NamesField, RowsField } from './rows-field.tsx';
import classes from './schema-form.module.css';

export interface SchemaFieldProps {
  readonly field: FormField;
  readonly value: unknown;
  /** Of the whole field (by an empty name) and of its cells: `[0].key`. */
  readonly problems?: Readonly<Record<string, string>> | undefined;
  /** It belongs to something that exists: a secret is not shown then, only replaced. */
  readonly isStored: boolean;
  readonly onChange: (value: unknown) => void;
  readonly onBlur: (event: FocusEvent) => void;
}

/** The control that fits a field. */
export function SchemaField(props: SchemaFieldProps) {
  const { field, value, problems = {}, onChange, onBlur } = props;
  const problem = problems[''] ?? Object.values(problems)[0];
  const common = {
    name: field.name,
    label: field.isOptional && field.group === undefined ? <OptionalLabel text={field.label} /> : field.label,
    description: field.help,
    error: problem,
    onBlur,
    'aria-required': !field.isOptional,
    ...(field.placeholder === undefined ? {} : { placeholder: field.placeholder }),
  };
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
    case 'list':
      return (
        <TagsInput {...common} value={Array.isArray(value) ? value.map(String) : []} onChange={onChange} />
      );
    case 'rows':
      return <RowsField {...{ field, problems, onChange }} rows={Array.isArray(value) ? value : []} />;
    case 'names':
      return <NamesField {...{ field, value, problems, onChange }} />;
    case 'secret':
      return <SecretField {...props} common={common} text={textOf(value)} />;
    default:
      return <FieldControl {...{ field, value, onChange, common }} />;
  }
}

/**
 * A secret that is stored is never put into the page again: it stays, is replaced, or is removed. It stays for as long
 * as nobody types another one, since what stands for it is sent back then.
 */
function SecretField(props: SchemaFieldProps & { readonly common: object; readonly text: string }) {
  const { field, common, text, isStored, onChange } = props;
  const [kept] = useState(isStored ? text : '');
  const [step, setStep] = useState<'kept' | 'replaced' | 'removed'>('kept');
  const go = (next: typeof step) => {
    onChange(next === 'removed' ? '' : kept);
    setStep(next);
  };
  const keep = <Button onClick={() => go('kept')}>Keep the stored one</Button>;
  if (kept === '' || step === 'replaced') {
    return (
      <div className={classes.secret}>
        <PasswordInput
          {...common}
          value={text === kept ? '' : text}
          autoComplete="new-password"
          autoFocus={step === 'replaced'}
          onChange={({ currentTarget: { value } }) => onChange(value === '' ? kept : value)}
        />
        {kept !== '' && keep}
      </div>
    );
  }
  if (step === 'removed') {
    return (
      <div className={classes.secret}>
        <TextInput {...common} value="" placeholder="Is removed when you save" readOnly />
        {keep}
      </div>
    );
  }
  return (
    <div className={classes.secret}>
      <TextInput {...common} value="••••••••" readOnly />
      <Button onClick={() => go('replaced')}>Replace</Button>
      {field.isOptional && <Button onClick={() => go('removed')}>Remove</Button>}
    </div>
  );
}
