import type { Value, ValueMap } from '@millrace/rules';
import {
  type ComponentDefinition,
  type ComponentType,
  type ConfigurationFields,
  defineComponent,
} from '#core/index.ts';
import type { ExtractorContext } from './extractor-type.ts';

/** A converter with its configuration. What it throws leaves the text as it is. */
export type Conversion =
  | {
      readonly kind: 'value';
      /** What takes the place of the text; undefined: the field is removed. `receivedAt` stands for the present. */
      convert(text: string, receivedAt: number): Value;
    }
  | {
      readonly kind: 'fields';
      /** Fields beside the text. */
      convert(text: string): ValueMap;
    };

export type ConverterType = ComponentType<ExtractorContext, Conversion>;

/** A converter is one of these in a file of its own, and a line in the registry. */
export function defineConverter<Fields extends ConfigurationFields>(
  definition: Omit<ComponentDefinition<Fields, ExtractorContext, Conversion>, 'wireType'>,
): ConverterType {
  return defineComponent({ ...definition, wireType: definition.id });
}

/** A converter without configuration. */
export function definePlainConverter(
  definition: Pick<ConverterType, 'id' | 'name' | 'description'>,
  conversion: Conversion,
): ConverterType {
  return defineConverter({ ...definition, fields: {}, create: () => conversion });
}
