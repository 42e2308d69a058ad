import type { OutputTypeView, Output as OutputView } from '@millrace/contract';
import {
  type ConfigurationProblem,
  InvalidConfiguration,
  InvalidError,
  type RawConfiguration,
  redactConfiguration,
  requestedConfiguration,
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
    configuration: type === undefined ? {} : redactConfiguration(type.fields, stored.configuration),
    content_pack: stored.contentPack,
  };
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

/** The complete configuration, with defaults and secrets in clear. Throws with every problem when it is not valid. */
export function completeConfiguration(type: OutputType, raw: RawConfiguration): RawConfiguration {
  const completed = type.complete(raw);
  if (completed instanceof InvalidConfiguration) throw badConfiguration(type, completed.problems);
  return completed;
}

function badConfiguration(type: OutputType, problems: readonly ConfigurationProblem[]): InvalidError {
  const errors: Record<string, { error: string }[]> = {};
  for (const { path, message } of problems) errors[path] = [...(errors[path] ?? []), { error: message }];
  const texts = problems.map(({ path, message }) => `${path} ${message}`);
  return new InvalidError(`Invalid configuration of a ${type.name} output: ${texts.join('; ')}.`, {
    details: { type: 'ValidationApiError', validation_errors: errors },
    problems: problems.map(({ path, message }) => ({ path: `configuration.${path}`, message })),
  });
}
