import type { Value, ValueMap } from '@millrace/rules';
import { errorMessage } from '#core/index.ts';
import type { NamedConversion } from './compile.ts';

/** What the converters have made of a value; nothing is written yet. */
export interface Converted {
  /** Undefined: the target field is removed. */
  readonly value: Value;
  readonly fields: readonly { readonly converter: string; readonly values: ValueMap }[];
  readonly failures: readonly { readonly converter: string; readonly problem: string }[];
}

/** The value goes through the converters, as long as it is a text. */
export function convertValue(
  conversions: readonly NamedConversion[],
  extracted: Value,
  receivedAt: number,
): Converted {
  let { value } = unconverted(extracted);
  const fields: Converted['fields'][number][] = [];
  const failures: Converted['failures'][number][] = [];
  for (const { name: converter, conversion } of conversions) {
    if (typeof value !== 'string' || value === '') break;
    try {
      if (conversion.kind === 'value') value = conversion.convert(value, receivedAt);
      else fields.push({ converter, values: conversion.convert(value) });
    } catch (error) {
      failures.push({ converter, problem: errorMessage(error) });
    }
  }
  return { value, fields, failures };
}

export function unconverted(extracted: Value): Converted {
  return { value: typeof extracted === 'string' ? extracted.trim() : extracted, fields: [], failures: [] };
}
