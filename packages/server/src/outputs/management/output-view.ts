import type { OutputTypeView, Output as OutputView } from '@millrace/contract';
import {
  effectiveConfiguration,
  redactAsSent,
  redactConfiguration,
  requestedConfiguration,
  revisionOf,
} from '#core/index.ts';
import type { OutputRecord } from '#metadata/index.ts';
import type { OutputType } from '../output.ts';

/** An output as everybody may see it: no secrets. Without configuration when this version does not know its type. */
export function outputView(stored: OutputRecord, type: OutputType | undefined): OutputView {
  return {
    id: stored.id,
    title: stored.title,
    type: type?.wireType ?? stored.type,
    creator_user_id: stored.creator,
    created_at: new Date(stored.createdAt).toISOString(),
    ...configurationOf(stored, type),
    content_pack: stored.contentPack,
    revision: outputRevision(stored),
  };
}

function configurationOf({ configuration }: OutputRecord, type: OutputType | undefined) {
  if (type === undefined) return { configuration: {}, effective_configuration: {} };
  return {
    configuration: redactAsSent(type.fields, configuration),
    effective_configuration: redactConfiguration(type.fields, effectiveConfiguration(type, configuration)),
  };
}

/** A pause is no change of what people edit. */
export function outputRevision({
  title,
  configuration,
}: Pick<OutputRecord, 'title' | 'configuration'>): string {
  return revisionOf([title, configuration]);
}

export function outputTypeView(type: OutputType): OutputTypeView {
  return {
    name: type.name,
    type: type.wireType,
    human_name: type.name,
    link_to_docs: '',
    description: type.description,
    requested_configuration: requestedConfiguration(type.fields),
  };
}
