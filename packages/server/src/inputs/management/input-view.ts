import type { Input, InputState as InputStateView, InputType as InputTypeView } from '@millrace/contract';
import {
  effectiveConfiguration,
  redactAsSent,
  redactConfiguration,
  requestedConfiguration,
  revisionOf,
} from '#core/index.ts';
import type { InputRecord } from '#metadata/index.ts';
import { componentPrefix, type Metrics } from '#telemetry/index.ts';
import type { InputType } from '../input.ts';
import { lossesOf } from '../loss-watch.ts';
import type { ShownState } from './node-inputs.ts';

/** An input as everybody may see it: no secrets. Without configuration when this version does not know its type. */
export function inputView(stored: InputRecord, type: InputType | undefined): Input {
  return {
    title: stored.title,
    global: stored.global,
    name: type?.name ?? stored.type,
    content_pack: stored.contentPack,
    id: stored.id,
    created_at: new Date(stored.createdAt).toISOString(),
    type: type?.wireType ?? stored.type,
    creator_user_id: stored.creator,
    ...attributesOf(stored, type),
    static_fields: { ...stored.staticFields },
    node: stored.nodeId,
    revision: inputRevision(stored),
  };
}

function attributesOf({ configuration }: InputRecord, type: InputType | undefined) {
  if (type === undefined) return { attributes: {}, effective_attributes: {} };
  return {
    attributes: redactAsSent(type.fields, configuration),
    effective_attributes: redactConfiguration(type.fields, effectiveConfiguration(type, configuration)),
  };
}

type InputProperties = Pick<InputRecord, 'title' | 'type' | 'global' | 'nodeId' | 'configuration'>;

/** Static fields have requests of their own and are no part of it; neither is whether it should run. */
export function inputRevision(properties: InputProperties): string {
  const { title, type, global, nodeId, configuration } = properties;
  return revisionOf([title, type, global, nodeId, configuration]);
}

export function inputTypeView(type: InputType): InputTypeView {
  return {
    type: type.wireType,
    name: type.name,
    is_exclusive: false,
    requested_configuration: requestedConfiguration(type.fields),
    link_to_docs: '',
    description: type.description,
    examples: type.examples,
  };
}

/** What an input does on this node. */
export function inputStateView(
  stored: InputRecord,
  type: InputType | undefined,
  state: ShownState,
  metrics: Pick<Metrics, 'get'>,
): InputStateView {
  return {
    id: stored.id,
    state: state.state,
    started_at: new Date(state.since).toISOString(),
    detailed_message: state.detailedMessage ?? chosenPort(stored, type, state) ?? null,
    listening: state.listening ?? null,
    losses: lossesOf(
      metrics,
      componentPrefix({ kind: 'input', type: stored.type, id: stored.id }),
      state.droppedField,
    ),
    message_input: inputView(stored, type),
  };
}

/** Tells which port the system chose. */
function chosenPort(
  { configuration }: InputRecord,
  type: InputType | undefined,
  { listening }: ShownState,
): string | undefined {
  if (listening === undefined || type === undefined) return undefined;
  if (effectiveConfiguration(type, configuration).port !== 0) return undefined;
  return `listens on port ${listening.port}, which the system has chosen`;
}
