import { levelName } from '../../../components/level-label.tsx';
import { useEntityTitles } from '../use-entity-titles.ts';

/** How the API names the group of messages without the field. */
export const WITHOUT = '(Empty Value)';

/** Names of levels and streams in the place of their values. */
export function useLabels(streamIds: readonly string[]) {
  const titleOf = useEntityTitles('streams', streamIds);
  return (field: string, value: string) => {
    if (value === WITHOUT) return `Without ${field}`;
    return (field === 'level' ? levelName(value) : titleOf(field, value)) ?? value;
  };
}
