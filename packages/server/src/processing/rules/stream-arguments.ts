import type { RuleEnvironment } from './context.ts';

/** The ids of the streams that a rule means. Unknown ones are left out. */
export function streamsOf(
  environment: RuleEnvironment,
  id: string | undefined,
  name: string | undefined,
): readonly string[] {
  if (id !== undefined) return [id];
  if (name === undefined) throw new Error('the id or the name of a stream is needed');
  return environment.streamsNamed(name);
}
