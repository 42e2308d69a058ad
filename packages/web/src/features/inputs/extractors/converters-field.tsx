import { ActionIcon, Select } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react';
import { useId, useMemo } from 'react';
import { SchemaField } from '../../../components/schema-field.tsx';
import { type FormValues, fieldsFromConfiguration, initialValues } from '../../../lib/forms/index.ts';
import type { Converters, ConverterType } from './extractor-values.ts';
import classes from './extractors.module.css';
import { extractorTexts as texts } from './texts.ts';

export interface ConvertersFieldProps {
  readonly types: readonly ConverterType[];
  readonly converters: Converters;
  readonly onChange: (converters: Converters) => void;
}

/** Converters in the order in which they run. Each can be there once. */
export function ConvertersField({ types, converters, onChange }: ConvertersFieldProps) {
  const helpId = useId();
  const offered = types.filter(({ type }) => converters.every((each) => each.type !== type));
  const add = (wanted: string | null) => {
    const type = types.find((each) => each.type === wanted);
    if (type === undefined) return;
    const config = { ...initialValues(fieldsFromConfiguration(type.requested_configuration)) };
    onChange([...converters, { type: type.type, config }]);
  };
  const replace = (at: number, config: FormValues) =>
    onChange(converters.map((each, index) => (index === at ? { ...each, config: { ...config } } : each)));
  const swap = (at: number) => {
    const [first, second] = [converters[at], converters[at + 1]];
    if (first === undefined || second === undefined) return;
    onChange(converters.with(at, second).with(at + 1, first));
  };
  return (
    <fieldset className={classes.converters} aria-describedby={helpId}>
      <legend>{texts.converters}</legend>
      <p id={helpId} className={classes.help}>
        {texts.convertersHelp}
      </p>
      {converters.map(({ type, config }, at) => (
        <Converter
          key={type}
          id={type}
          type={types.find((each) => each.type === type)}
          config={config}
          onConfig={(next) => replace(at, next)}
          onUp={at === 0 ? undefined : () => swap(at - 1)}
          onDown={at === converters.length - 1 ? undefined : () => swap(at)}
          onRemove={() => onChange(converters.filter((_, index) => index !== at))}
        />
      ))}
      <Select
        // A choice becomes a row, and the box is empty again.
        key={converters.length}
        className={classes.add}
        aria-label={texts.addConverter}
        placeholder={texts.addConverter}
        data={offered.map(({ type: value, name: label }) => ({ value, label }))}
        value={null}
        searchable
        onChange={add}
      />
    </fieldset>
  );
}

interface ConverterProps {
  readonly id: string;
  /** Undefined: this version does not know it. */
  readonly type: ConverterType | undefined;
  readonly config: FormValues;
  readonly onConfig: (config: FormValues) => void;
  readonly onUp: (() => void) | undefined;
  readonly onDown: (() => void) | undefined;
  readonly onRemove: () => void;
}

function Converter({ id, type, config, onConfig, onUp, onDown, onRemove }: ConverterProps) {
  const fields = useMemo(() => fieldsFromConfiguration(type?.requested_configuration ?? {}), [type]);
  const name = type?.name ?? id;
  return (
    <div className={classes.converter}>
      <div className={classes.converterHead}>
        <strong>{name}</strong>
        <ActionIcon aria-label={texts.up(name)} disabled={onUp === undefined} onClick={onUp}>
          <IconArrowUp size={16} />
        </ActionIcon>
        <ActionIcon aria-label={texts.down(name)} disabled={onDown === undefined} onClick={onDown}>
          <IconArrowDown size={16} />
        </ActionIcon>
        <ActionIcon aria-label={texts.removeConverter(name)} onClick={onRemove}>
          <IconTrash size={16} />
        </ActionIcon>
      </div>
      {type !== undefined && <p className={classes.help}>{type.description}</p>}
      {fields.map((field) => (
        <SchemaField
          key={field.name}
          field={field}
          value={Object.hasOwn(config, field.name) ? config[field.name] : field.defaultValue}
          isStored={false}
          onChange={(value) => onConfig({ ...config, [field.name]: value })}
          onBlur={() => {}}
        />
      ))}
    </div>
  );
}
