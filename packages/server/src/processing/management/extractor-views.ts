import type {
  ExportedExtractor,
  ExtractorRequest,
  ExtractorTiming,
  ExtractorTypes,
  ExtractorView,
} from '@millrace/contract';
import { type ComponentType, requestedConfiguration, revisionOf } from '#core/index.ts';
import type { ExtractorProperties, ExtractorRecord } from '#metadata/index.ts';
import type { Metrics } from '#telemetry/index.ts';
import { CONVERTERS, EXTRACTOR_TYPES, extractorMetricsPrefix, WITHOUT_TARGET } from '../extractors/index.ts';

type Described = Pick<ComponentType, 'id' | 'name' | 'description' | 'fields'>;

/** What both forms of requests have in common. */
type Common = Pick<
  ExportedExtractor,
  | 'title'
  | 'extractor_type'
  | 'source_field'
  | 'target_field'
  | 'extractor_config'
  | 'condition_type'
  | 'condition_value'
  | 'order'
>;

export function propertiesOf(request: ExtractorRequest): ExtractorProperties {
  const converters = request.converters ?? {};
  const list = Array.isArray(converters)
    ? converters
    : Object.entries(converters).map(([type, config]) => ({ type, config: config ?? {} }));
  return {
    ...commonProperties(request),
    cursorStrategy: request.cut_or_copy,
    converters: namedConverters(list),
  };
}

export function propertiesOfExported(exported: ExportedExtractor): ExtractorProperties {
  return {
    ...commonProperties(exported),
    cursorStrategy: exported.cursor_strategy,
    converters: namedConverters(exported.converters ?? []),
  };
}

function commonProperties(request: Common) {
  return {
    title: request.title,
    type: request.extractor_type.toLowerCase(),
    sourceField: request.source_field,
    targetField: request.target_field ?? '',
    configuration: request.extractor_config ?? {},
    conditionType: request.condition_type,
    conditionValue: request.condition_value ?? '',
    position: request.order,
  };
}

/** Graylog's clients write the names in any case. */
function namedConverters(converters: ExtractorProperties['converters']): ExtractorProperties['converters'] {
  return converters.map(({ type, config }) => ({ type: type.toLowerCase(), config }));
}

export function exportedView(record: ExtractorRecord): ExportedExtractor {
  return {
    title: record.title,
    extractor_type: record.type,
    converters: record.converters.map(({ type, config }) => ({ type, config })),
    order: record.position,
    cursor_strategy: record.cursorStrategy,
    source_field: record.sourceField,
    target_field: record.targetField,
    extractor_config: record.configuration,
    condition_type: record.conditionType,
    condition_value: record.conditionValue,
  };
}

/** Of what its form edits: the order is changed elsewhere. */
export function revisionOfExtractor(record: ExtractorRecord): string {
  const { order: _order, ...edited } = exportedView(record);
  return revisionOf([edited]);
}

/** All that can be created, with what each needs. */
export function extractorTypesView(): ExtractorTypes {
  const described = ({ id, name, description, fields }: Described) => ({
    type: id,
    name,
    description,
    requested_configuration: requestedConfiguration(fields),
  });
  return {
    types: EXTRACTOR_TYPES.types.map((type) => ({
      ...described(type),
      names_fields: WITHOUT_TARGET.has(type.id),
    })),
    converters: CONVERTERS.types.map(described),
  };
}

export function extractorView(record: ExtractorRecord, metrics: Pick<Metrics, 'get'>): ExtractorView {
  const prefix = extractorMetricsPrefix(record);
  const metric = (name: string) => metrics.get(`${prefix}.${name}`)?.metric;
  const count = (name: string) => countOf(metric(name));
  const timing = (name: string) => timingOf(metric(name));
  return {
    id: record.id,
    title: record.title,
    type: record.type,
    cursor_strategy: record.cursorStrategy,
    source_field: record.sourceField,
    target_field: record.targetField,
    extractor_config: record.configuration,
    creator_user_id: record.creator,
    converters: record.converters.map(({ type, config }) => ({ type, config })),
    condition_type: record.conditionType,
    condition_value: record.conditionValue,
    order: record.position,
    exceptions: count('exceptions'),
    converter_exceptions: count('converterExceptions'),
    metrics: {
      total: timing('completeExecutionTime'),
      condition: timing('conditionTime'),
      execution: timing('executionTime'),
      converters: timing('converterExecutionTime'),
      condition_hits: count('conditionHits'),
      condition_misses: count('conditionMisses'),
    },
    disabled_reason: record.disabledReason,
    revision: revisionOfExtractor(record),
  };
}

type Metric = NonNullable<ReturnType<Metrics['get']>>['metric'];

function countOf(metric: Metric | undefined): number {
  return metric !== undefined && 'count' in metric && typeof metric.count === 'number' ? metric.count : 0;
}

function timingOf(metric: Metric | undefined): ExtractorTiming {
  return metric !== undefined && 'rate' in metric && 'time' in metric && 'duration_unit' in metric
    ? metric
    : NEVER_RUN;
}

const NEVER_RUN: ExtractorTiming = {
  rate: { total: 0, mean: 0, one_minute: 0, five_minute: 0, fifteen_minute: 0 },
  rate_unit: 'events/second',
  time: {
    min: 0,
    max: 0,
    mean: 0,
    std_dev: 0,
    '95th_percentile': 0,
    '98th_percentile': 0,
    '99th_percentile': 0,
  },
  duration_unit: 'microseconds',
};
