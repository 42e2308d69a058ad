import { useCallback, useRef, useState } from 'react';
import type { FormValues } from '../../../lib/forms/index.ts';
import type { Naming } from './naming-fields.tsx';

export const namingOf = (stored: Naming | undefined): Naming => ({
  title: stored?.title ?? '',
  name: stored?.name ?? '',
  description: stored?.description ?? '',
});

/** Whether a form has what is not stored: in its own fields, or in the title, name and description. */
export function useUnsaved(naming: Naming, stored: Naming | undefined) {
  const first = useRef<string>(undefined);
  const [isChanged, setChanged] = useState(false);
  const onValues = useCallback((values: FormValues) => {
    const text = JSON.stringify(values);
    first.current ??= text;
    setChanged(text !== first.current);
  }, []);
  const isUnsaved = isChanged || JSON.stringify(naming) !== JSON.stringify(namingOf(stored));
  return { isUnsaved, onValues };
}
