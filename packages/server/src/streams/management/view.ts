import {
  formatTimestamp,
  type Output,
  type Stream,
  type StreamRuleRequest,
  type StreamRuleTypeView,
  type StreamRuleView,
} from '@millrace/contract';
import { DEFAULT_STREAM_ID, EVENT_STREAM_ID, FAILURE_STREAM_ID } from '#core/index.ts';
import type { StreamRecord, StreamRuleProperties, StreamRuleRecord } from '#metadata/index.ts';
import { ruleTypes } from '../index.ts';
import { streamRevision } from './revision.ts';

/** Streams that the program itself needs: nobody may change, pause or delete them. */
const BUILT_IN: ReadonlySet<string> = new Set([DEFAULT_STREAM_ID, EVENT_STREAM_ID, FAILURE_STREAM_ID]);

export function isBuiltIn(streamId: string): boolean {
  return BUILT_IN.has(streamId);
}

/** What the alerts of a stream add to its record. */
export type StreamAlerts = Pick<Stream, 'alert_conditions' | 'alert_receivers'>;

const NO_ALERTS: StreamAlerts = { alert_conditions: [], alert_receivers: { emails: [], users: [] } };

/** What other parts of the node know of a stream. */
export interface StreamParts {
  readonly alerts?: StreamAlerts | undefined;
  readonly outputs?: readonly Output[];
}

export function streamView(
  stream: StreamRecord,
  { alerts = NO_ALERTS, outputs = [] }: StreamParts = {},
): Stream {
  return {
    id: stream.id,
    creator_user_id: stream.creator,
    outputs: [...outputs],
    matching_type: stream.matchingType,
    description: emptyIsNull(stream.description),
    created_at: formatTimestamp(stream.createdAt),
    disabled: stream.state !== 'running',
    state: stream.state,
    state_reason: stream.stateReason,
    rules: stream.rules.map(ruleView),
    ...alerts,
    title: stream.title,
    content_pack: stream.contentPack,
    is_default: stream.id === DEFAULT_STREAM_ID,
    is_editable: !isBuiltIn(stream.id),
    remove_matches_from_default_stream: stream.removeMatches,
    index_set_id: stream.indexSetId,
    revision: streamRevision(stream),
  };
}

export function ruleView(rule: StreamRuleRecord): StreamRuleView {
  return {
    id: rule.id,
    stream_id: rule.streamId,
    type: rule.type,
    field: rule.field,
    value: rule.value,
    inverted: rule.inverted,
    description: emptyIsNull(rule.description),
    content_pack: rule.contentPack,
  };
}

export function ruleOfRequest(request: StreamRuleRequest): StreamRuleProperties {
  return {
    type: request.type,
    field: request.field ?? '',
    value: request.value ?? '',
    inverted: request.inverted ?? false,
    description: request.description ?? '',
  };
}

export function ruleTypeViews(): StreamRuleTypeView[] {
  return ruleTypes().map((type) => ({
    id: type.id,
    name: type.name,
    short_desc: type.shortDescription,
    long_desc: type.longDescription,
    needs_field: type.needsField,
    needs_value: type.needsValue,
  }));
}

function emptyIsNull(text: string): string | null {
  return text === '' ? null : text;
}
