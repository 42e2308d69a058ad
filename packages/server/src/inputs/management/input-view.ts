import type { Input, InputType as InputTypeView } from '@millrace/contract';
import { redactConfiguration, requestedConfiguration } from '#core/index.ts';
import type { InputRecord } from '#metadata/index.ts';
import type { InputType } from '../input.ts';

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
    attributes: type === undefined ? {} : redactConfiguration(type.fields, stored.configuration),
    static_fields: { ...stored.staticFields },
    node: stored.nodeId,
  };
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
