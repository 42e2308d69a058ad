import { useDebouncedValue } from '@mantine/hooks';
import type { SpotlightActionData } from '@mantine/spotlight';
import { IconBookmark, IconClock, IconHistory, IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { rangeOf } from '../../../features/search/saved/saved-search.ts';
import { searchParams } from '../../../features/search/search-params.ts';
import { call } from '../../../lib/api/index.ts';
import { countOf } from '../../../lib/format/index.ts';
import {
  describeSpan,
  describeTimeRange,
  parseInstant,
  useTimeZone,
  wholeSeconds,
} from '../../../lib/time/index.ts';
import { parseSearch, stringifySearch } from '../../../lib/url/index.ts';
import type { ObjectAction, ObjectKind, PaletteObject } from './object-kinds.ts';
import { mayBeTimeWords } from './time-words.ts';
import { typedActions } from './typed-actions.ts';
import { ASK_AFTER_MS, FRESH_MS, MAX_OBJECTS, useObjects } from './use-objects.ts';

const MAX_RECENT = 20;

interface Group {
  readonly group: string;
  readonly actions: SpotlightActionData[];
}

/** Things by their name: objects, saved searches, the queries used last. Asked for when the palette opens. */
export function useObjectActions(isOpen: boolean, typed: string): Group[] {
  const { history } = useRouter();
  const zone = useTimeZone();
  const shared = { enabled: isOpen, staleTime: FRESH_MS, placeholderData: keepPreviousData } as const;
  const found = useObjects(isOpen, typed);
  const { data: saved } = useQuery({
    ...shared,
    queryKey: ['saved-searches'],
    queryFn: ({ signal }) => call('GET /search/saved', { signal }),
  });
  const { data: recent } = useQuery({
    ...shared,
    queryKey: ['search-history'],
    queryFn: ({ signal }) => call('GET /search/history', { signal }),
  });
  const go = (href: string) => () => history.push(href);
  const actionOf = ({ icon: KindIcon }: ObjectKind, action: ObjectAction, object: PaletteObject) => ({
    id: `${action.before}${object.id}`,
    label: `${action.before}${object.title}${action.after ?? ''}`,
    leftSection: <KindIcon size={16} />,
    onClick: go(action.hrefOf(object)),
  });
  const groups: Group[] = [
    {
      group: 'Saved searches',
      actions: (saved?.searches ?? []).map(({ id, title }) => ({
        id: `saved ${id}`,
        label: title,
        leftSection: <IconBookmark size={16} />,
        onClick: go(`/search/saved/${id}`),
      })),
    },
    ...found.map(({ kind, objects }) => ({
      group: kind.group,
      actions: kind.actions.flatMap((action) => objects.map((object) => actionOf(kind, action, object))),
    })),
    {
      group: 'Recent queries',
      actions: (recent?.queries ?? [])
        .slice(0, MAX_RECENT)
        .map(({ query, timerange, streams: chosen = [] }) => {
          const range = timerange && rangeOf(timerange);
          const params = searchParams.write({ q: query, s: chosen, ...(range && { t: range }) });
          return {
            id: `recent ${query}`,
            label: query,
            description: [
              ...(range === undefined ? [] : [describeTimeRange(range, zone)]),
              ...(chosen.length === 0 ? [] : [countOf(chosen.length, 'stream')]),
            ].join(', '),
            leftSection: <IconHistory size={16} />,
            onClick: go(`/search${stringifySearch(params)}`),
          };
        }),
    },
  ];
  return groups.map(({ group, actions }) => ({ group, actions: fewest(actions, typed) }));
}

function fewest(actions: readonly SpotlightActionData[], typed: string): SpotlightActionData[] {
  const wanted = typed.trim().toLowerCase();
  return actions.filter(({ label }) => label?.toLowerCase().includes(wanted)).slice(0, MAX_OBJECTS);
}

/** What the typed text itself could mean: an address, an id, a time in words, a query. */
export function useTypedActions(text: string): Group[] {
  const router = useRouter();
  const time = useTimeAction(text);
  const actions = typedActions(text, window.location.origin).map(({ id, label, href }) => ({
    id: `typed ${id}`,
    label,
    // The palette shows only what contains the text.
    keywords: [text],
    leftSection: <IconSearch size={16} />,
    onClick: () => router.history.push(href),
  }));
  return [{ group: 'As you typed it', actions: [...actions, ...time] }];
}

/** `yesterday 14:00 to 16:00`, with the instants that it means. */
function useTimeAction(text: string): SpotlightActionData[] {
  const { history } = useRouter();
  const zone = useTimeZone();
  const [words] = useDebouncedValue(text.trim(), ASK_AFTER_MS);
  const { data } = useQuery({
    queryKey: ['time-words', words, zone],
    enabled: mayBeTimeWords(words),
    staleTime: FRESH_MS,
    retry: false,
    queryFn: async ({ signal }) => {
      const { from, to } = await call('GET /tools/natural_date_tester', {
        query: { string: words, timezone: zone },
        signal,
      });
      return { from: parseInstant(from) ?? 0, to: parseInstant(to) ?? 0 };
    },
  });
  if (data === undefined || words !== text.trim()) return [];
  const params = window.location.pathname === '/search' ? parseSearch(window.location.search) : {};
  return [
    {
      id: 'typed time',
      label: `Time: ${words}`,
      description: describeSpan(wholeSeconds(data), zone),
      keywords: [text],
      leftSection: <IconClock size={16} />,
      onClick: () => history.push(`/search${stringifySearch({ ...params, t: words })}`),
    },
  ];
}
