import { useDebouncedValue } from '@mantine/hooks';
import type { SpotlightActionData } from '@mantine/spotlight';
import {
  IconBookmark,
  IconClock,
  IconGitFork,
  IconHistory,
  IconPlugConnected,
  IconSearch,
} from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { rangeOf } from '../../../features/search/saved/saved-search.ts';
import { searchParams } from '../../../features/search/search-params.ts';
import { mayReachAny, usePermissions } from '../../../lib/account/index.ts';
import { call } from '../../../lib/api/index.ts';
import { countOf } from '../../../lib/format/index.ts';
import { inputSource } from '../../../lib/inputs/index.ts';
import { foundStreamsQuery } from '../../../lib/streams/index.ts';
import {
  describeSpan,
  describeTimeRange,
  parseInstant,
  useTimeZone,
  wholeSeconds,
} from '../../../lib/time/index.ts';
import { parseSearch, stringifySearch } from '../../../lib/url/index.ts';
import { titlePart } from './title-part.ts';
import { typedActions } from './typed-actions.ts';

const FRESH_MS = 30_000;
const MAX_RECENT = 20;
/** Of one kind: with a thousand streams, the others are a few letters away. */
const MAX_OBJECTS = 50;
const ASK_AFTER_MS = 200;

/** What the name of a stream or of an input stands behind. */
const STREAM_LABEL = 'Search ';
const INPUT_LABEL = 'Search what ';

interface Group {
  readonly group: string;
  readonly actions: SpotlightActionData[];
}

/** Things by their name: streams, inputs, saved searches, the queries used last. Asked for when the palette opens. */
export function useObjectActions(isOpen: boolean, typed: string): Group[] {
  const { history } = useRouter();
  const permissions = usePermissions();
  const zone = useTimeZone();
  const shared = { enabled: isOpen, staleTime: FRESH_MS, placeholderData: keepPreviousData } as const;
  const [settled] = useDebouncedValue(typed, ASK_AFTER_MS);
  const streamsWith = (find: string) => ({ ...foundStreamsQuery({ find, count: MAX_OBJECTS }), ...shared });
  const inputsWith = (query: string) => ({
    ...shared,
    enabled: isOpen && mayReachAny(permissions, 'inputs:read'),
    queryKey: [...inputSource.key, 'choices', query, MAX_OBJECTS],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) => inputSource.find(query, MAX_OBJECTS, signal),
  });
  // The first of them are there at once, for somebody who types faster than the server answers.
  const { data: firstStreams } = useQuery(streamsWith(''));
  const { data: foundStreams } = useQuery(streamsWith(titlePart(settled, STREAM_LABEL)));
  const { data: firstInputs } = useQuery(inputsWith(''));
  const { data: foundInputs } = useQuery(inputsWith(titlePart(settled, INPUT_LABEL)));
  const streams = together(foundStreams?.streams, firstStreams?.streams, ({ id }) => id);
  const inputs = together(foundInputs, firstInputs, ({ value }) => value);
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
    {
      group: 'Streams',
      actions: streams.map(({ id, title }) => ({
        id: `stream ${id}`,
        label: `${STREAM_LABEL}${title}`,
        leftSection: <IconGitFork size={16} />,
        onClick: go(`/search?s=${id}`),
      })),
    },
    {
      group: 'Inputs',
      actions: inputs.map(({ value: id, label: title }) => ({
        id: `input ${id}`,
        label: `${INPUT_LABEL}${title} received`,
        leftSection: <IconPlugConnected size={16} />,
        onClick: go(`/search${stringifySearch({ q: `gl2_source_input:${id}` })}`),
      })),
    },
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

function together<Thing>(
  found: readonly Thing[] = [],
  first: readonly Thing[] = [],
  idOf: (thing: Thing) => string,
): Thing[] {
  return [...new Map([...found, ...first].map((each) => [idOf(each), each])).values()];
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
    enabled: /[a-z]/i.test(words) && /\s|^(?:today|yesterday)$/i.test(words),
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
