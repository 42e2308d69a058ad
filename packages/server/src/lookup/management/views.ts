import type { LookupPartView, LookupResultView, LookupTableView, LookupTypes } from '@millrace/contract';
import {
  type ComponentRegistry,
  type ComponentType,
  redactConfiguration,
  requestedConfiguration,
  revisionOf,
} from '#core/index.ts';
import type { LookupPartRecord, LookupTableRecord } from '#metadata/index.ts';
import { type LookupAnswer, listOf } from '../answer.ts';

type AnyType = Pick<ComponentType, 'wireType' | 'fields' | 'name' | 'description'>;

/** Nobody sees secrets. */
export function partView(record: LookupPartRecord, types: ComponentRegistry<AnyType>): LookupPartView {
  return { ...partAuditView(record, types), revision: partRevision(record) };
}

export function partRevision({ name, title, description, type, configuration }: LookupPartRecord): string {
  return revisionOf([name, title, description, type, configuration]);
}

export function partAuditView(
  record: LookupPartRecord,
  types: ComponentRegistry<AnyType>,
): Omit<LookupPartView, 'revision'> {
  const { id, name, title, description } = record;
  const type = types.find(record.type);
  const shown = type === undefined ? {} : redactConfiguration(type.fields, record.configuration);
  return {
    id,
    name,
    title,
    description,
    content_pack: null,
    config: { type: type?.wireType ?? record.type, ...shown },
  };
}

export function tableView(record: LookupTableRecord): LookupTableView {
  return { ...tableAuditView(record), revision: tableRevision(record) };
}

export function tableRevision({ id: _, ...edited }: LookupTableRecord): string {
  return revisionOf(edited);
}

export function tableAuditView(record: LookupTableRecord): Omit<LookupTableView, 'revision'> {
  const { id, name, title, description, defaultSingle, defaultMulti } = record;
  return {
    id,
    name,
    title,
    description,
    cache_id: record.cacheId,
    data_adapter_id: record.adapterId,
    content_pack: null,
    default_single_value: defaultSingle.text,
    default_single_value_type: defaultSingle.type,
    default_multi_value: defaultMulti.text,
    default_multi_value_type: defaultMulti.type,
  };
}

export function typeViews(types: ComponentRegistry<AnyType>): LookupTypes {
  return Object.fromEntries(
    types.types.map(({ wireType, name, description, fields }) => {
      const defaults = Object.entries(fields).map(([field, { type, default: usual }]) => [
        field,
        usual === undefined ? null : type.write(usual),
      ]);
      const default_config = { type: wireType, ...Object.fromEntries(defaults) };
      return [
        wireType,
        {
          type: wireType,
          name,
          description,
          default_config,
          requested_configuration: requestedConfiguration(fields),
        },
      ];
    }),
  );
}

/** Graylog's way to say "for ever". */
const NO_END = Number.MAX_SAFE_INTEGER;

export function resultView(answer: LookupAnswer, hasError: boolean): LookupResultView {
  return {
    single_value: answer.single,
    multi_value: answer.multi,
    string_list_value: listOf(answer)?.slice() ?? null,
    has_error: hasError,
    ttl: NO_END,
  };
}
