import { createSpotlight, Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import '@mantine/spotlight/styles.layer.css';
import {
  IconApi,
  IconBaselineDensityMedium,
  IconBook,
  IconKeyboard,
  IconLogout,
  IconPalette,
  IconSearch,
  IconWorld,
} from '@tabler/icons-react';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { KeyHint } from '../../../components/key-hint.tsx';
import { usePermissions, usePreferences, useTheme, useTimeZoneChoice } from '../../../lib/account/index.ts';
import { type Shortcut, useKeyMap } from '../../../lib/keys/index.ts';
import { browserZone } from '../../../lib/time/index.ts';
import { type Held, paletteKeys } from '../held-keys.ts';
import { EVERYWHERE, PAGES } from '../key-groups.ts';
import { useLogOut } from '../log-out.ts';
import { THEMES } from '../themes.ts';
import { useObjectActions, useTypedActions } from './object-actions.tsx';
import { furtherPages, mainPages } from './pages.ts';

const [store, spotlight] = createSpotlight();

/** Any page and any command by a few letters of its name. */
export function Palette({ request }: { readonly request: number }) {
  const commands = useCommandActions();
  const keyMap = useKeyMap();
  const [pageKeys, setPageKeys] = useState<readonly Shortcut[]>([]);
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const pages = usePageActions(typed.trim() !== '');
  const objects = useObjectActions(isOpen, typed);
  const meant = useTypedActions(typed);
  const [held, setHeld] = useState<Held>();
  useHeld(held);
  useFirstSelected(objects.flatMap(({ actions }) => actions.map(({ id }) => id)).join('\n'));
  // biome-ignore lint/correctness/useExhaustiveDependencies: every request opens it
  useEffect(() => spotlight.open(), [request]);
  return (
    <Spotlight
      store={store}
      // Our own key map opens it, so that the list of keys knows about it.
      shortcut={null}
      // What has a key on this page is also a command.
      onSpotlightOpen={() => {
        setOpen(true);
        setPageKeys(keyMap.list().filter(({ group }) => group !== EVERYWHERE && group !== PAGES));
      }}
      onSpotlightClose={() => {
        setOpen(false);
        setTyped('');
      }}
      // Somebody without a mouse scrolls it, too.
      scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}
      query={typed}
      onQueryChange={setTyped}
      actions={[
        { group: 'This page', actions: pageKeys.map(toAction) },
        // What makes something new has a key on its page, and stands above then.
        {
          group: 'Pages',
          actions: pages.filter(({ label }) => pageKeys.every((key) => key.label !== label)),
        },
        ...objects,
        { group: 'Commands', actions: commands },
        ...meant,
      ]}
      nothingFound="Nothing has such a name."
      highlightQuery
      overlayProps={{ blur: 0 }}
      // At once: while it fades out, it would swallow what is typed into the next one.
      transitionProps={{ duration: 0 }}
      attributes={{ content: { 'aria-label': 'Go to or do' } }}
      scrollable
      maxHeight={400}
      searchProps={{
        placeholder: 'Go to or do …',
        'aria-label': 'Go to or do',
        leftSection: <IconSearch size={16} />,
        // What was typed before it was there.
        onFocus: () => {
          const taken = paletteKeys.take();
          if (taken.text === '') return;
          setTyped((text) => text + taken.text);
          setHeld(taken);
        },
      }}
    />
  );
}

/** Text that was typed before the palette was there, as if it were typed into it: the first action is what Enter does. */
function useHeld(held: Held | undefined): void {
  useEffect(() => {
    if (held === undefined) return;
    const first = document
      .getElementById(store.getState().listId)
      ?.querySelector<HTMLElement>('[data-action]');
    store.updateState((state) => ({ ...state, selected: 0 }));
    first?.setAttribute('data-selected', 'true');
    if (held.isEntered) first?.click();
  }, [held]);
}

/** What the server finds comes later and stands first: unless somebody has moved on, that is what Enter does. */
function useFirstSelected(found: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is found is what moves the others
  useEffect(() => {
    const { listId, selected } = store.getState();
    if (selected !== 0) return;
    const list = document.getElementById(listId);
    list?.querySelector('[data-selected]')?.removeAttribute('data-selected');
    list?.querySelector('[data-action]')?.setAttribute('data-selected', 'true');
  }, [found]);
}

function toAction({ keys, label, run }: Shortcut): SpotlightActionData {
  return {
    id: `key ${keys}`,
    label,
    rightSection: <KeyHint keys={keys} />,
    // After the palette has given the focus back: many of these move it.
    onClick: () => void setTimeout(() => run(new KeyboardEvent('keydown'))),
  };
}

/** Below the pages of the rail those that stand under them, once somebody types. */
function usePageActions(isTyped: boolean): SpotlightActionData[] {
  const { history } = useRouter();
  const permissions = usePermissions();
  const pages = [...mainPages(permissions), ...(isTyped ? furtherPages(permissions) : [])];
  return pages.map(({ to, label, icon: PageIcon, parent, goKey, keywords }) => ({
    id: to,
    label,
    leftSection: <PageIcon size={16} />,
    ...(parent !== undefined && { description: parent }),
    ...(goKey !== undefined && { rightSection: <KeyHint keys={`g ${goKey}`} /> }),
    ...(keywords !== undefined && { keywords: [...keywords] }),
    onClick: () => history.push(to),
  }));
}

/** The two zones that are asked for most; the others are in the profile and beside the time. */
function useZoneActions(): SpotlightActionData[] {
  const [, setZone] = useTimeZoneChoice();
  return [
    { name: 'UTC', zone: 'UTC' },
    { name: `the browser's, ${browserZone()}`, zone: undefined },
  ].map(({ name, zone }) => ({
    id: `zone ${name}`,
    label: `Time zone: ${name}`,
    leftSection: <IconWorld size={16} />,
    onClick: () => setZone(zone),
  }));
}

function useCommandActions(): SpotlightActionData[] {
  const keyMap = useKeyMap();
  const showKeys = () =>
    keyMap
      .list()
      .find(({ keys }) => keys === '?')
      ?.run(new KeyboardEvent('keydown'));
  const logOut = useLogOut();
  const [, setTheme] = useTheme();
  const [{ density }, changePreferences] = usePreferences();
  const other = density === 'compact' ? 'normal' : 'compact';
  return [
    ...THEMES.map(({ value, label }) => ({
      id: `theme-${value}`,
      label: `Theme: ${label.toLowerCase()}`,
      leftSection: <IconPalette size={16} />,
      onClick: () => setTheme(value),
    })),
    {
      id: 'density',
      label: `Density: ${other} rows`,
      leftSection: <IconBaselineDensityMedium size={16} />,
      onClick: () => changePreferences({ density: other }),
    },
    ...useZoneActions(),
    {
      id: 'keys',
      label: 'Show the keys',
      leftSection: <IconKeyboard size={16} />,
      rightSection: <KeyHint keys="?" />,
      onClick: showKeys,
    },
    {
      id: 'documentation',
      label: 'Documentation',
      leftSection: <IconBook size={16} />,
      onClick: () => void window.open('/docs/index.html', '_blank', 'noopener'),
    },
    {
      id: 'api-browser',
      label: 'API browser',
      leftSection: <IconApi size={16} />,
      onClick: () => void window.open('/api/api-browser/', '_blank', 'noopener'),
    },
    { id: 'log-out', label: 'Log out', leftSection: <IconLogout size={16} />, onClick: logOut },
  ];
}
