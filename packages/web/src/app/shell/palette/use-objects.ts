import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { usePermissions } from '../../../lib/account/index.ts';
import { OBJECT_KINDS, type ObjectKind, type PaletteObject } from './object-kinds.ts';
import { titlePart } from './title-part.ts';

export const FRESH_MS = 30_000;
export const ASK_AFTER_MS = 200;
/** Of one kind: with a thousand streams, the others are a few letters away. */
export const MAX_OBJECTS = 50;

export interface FoundObjects {
  readonly kind: ObjectKind;
  readonly objects: readonly PaletteObject[];
}

/**
 * Objects of every kind that the user may read. The first of each kind are asked for once, and for most installations that
 * is all of them; the server is asked for what is typed only where there are more.
 */
export function useObjects(isOpen: boolean, typed: string): FoundObjects[] {
  const permissions = usePermissions();
  const [settled] = useDebouncedValue(typed, ASK_AFTER_MS);
  const kinds = OBJECT_KINDS.filter(({ mayFind }) => mayFind(permissions));
  const isTyped = typed.trim() !== '';
  const queryOf = (kind: ObjectKind, text: string, isWanted: boolean) => ({
    queryKey: [...kind.key, text],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) => kind.find(text, MAX_OBJECTS, signal),
    enabled: isOpen && isWanted,
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
  });
  const first = useQueries({
    queries: kinds.map((kind) => queryOf(kind, '', isTyped || kind.isAtOnce === true)),
  });
  const found = useQueries({
    queries: kinds.map((kind, at) => {
      const text = titleIn(settled, kind);
      return queryOf(kind, text, text !== '' && mayHaveMore(first[at]?.data));
    }),
  });
  return kinds.map((kind, at) => ({ kind, objects: together(found[at]?.data, first[at]?.data) }));
}

function mayHaveMore(objects: readonly PaletteObject[] | undefined): boolean {
  return objects !== undefined && objects.length >= MAX_OBJECTS;
}

/** What of the typed text can be part of a title of this kind. */
function titleIn(typed: string, { actions }: ObjectKind): string {
  return actions.reduce((text, { before }) => titlePart(text, before), typed);
}

/** What the server found stands first: those that are there already need not fit. */
function together(
  found: readonly PaletteObject[] = [],
  first: readonly PaletteObject[] = [],
): PaletteObject[] {
  return [...new Map([...found, ...first].map((each) => [each.id, each])).values()];
}
