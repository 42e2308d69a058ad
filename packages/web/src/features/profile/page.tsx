import { SegmentedControl, Select, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { useFoundChoices } from '../../components/found-select.tsx';
import { Page, PageHeader } from '../../components/page-header.tsx';
import { streamSource } from '../../components/stream-select.tsx';
import { useMe, usePreferences, useTheme, useTimeZoneChoice } from '../../lib/account/index.ts';
import { call } from '../../lib/api/index.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { useStreamTitles } from '../../lib/streams/index.ts';
import { browserZone } from '../../lib/time/index.ts';
import { PasswordForm } from './password-form.tsx';
import classes from './profile.module.css';
import { SessionForm } from './session-form.tsx';
import { startChoices, streamOfStart } from './start-pages.ts';
import { texts } from './texts.ts';
import { Tokens } from './tokens.tsx';

export interface ProfilePageProps {
  /** The pages of the rail that this user may see. */
  readonly pages: readonly { readonly to: string; readonly label: string }[];
  /** The page begins with the access tokens. */
  readonly startsAtTokens?: boolean;
}

/** The own account: how things look, where one begins, the session, the password, access tokens. */
export function ProfilePage({ pages, startsAtTokens = false }: ProfilePageProps) {
  const me = useMe();
  const tokens = useRef<HTMLElement>(null);
  useEffect(() => {
    if (startsAtTokens) tokens.current?.scrollIntoView();
  }, [startsAtTokens]);
  usePageTitle(texts.title);
  return (
    <Page>
      <PageHeader
        title={texts.title}
        about={me.full_name === '' ? me.username : `${me.full_name} (${me.username})`}
      />
      <section className={classes.section} aria-label={texts.looks}>
        <h2>{texts.looks}</h2>
        <Looks />
        <ZoneChoice />
        <StartChoice pages={pages} />
        <KeysChoice />
      </section>
      <section className={classes.section} aria-label={texts.session}>
        <h2>{texts.session}</h2>
        <SessionForm />
      </section>
      <section className={classes.section} aria-label={texts.password}>
        <h2>{texts.password}</h2>
        <PasswordForm />
      </section>
      <section ref={tokens} className={classes.section} aria-label={texts.tokens}>
        <h2>{texts.tokens}</h2>
        <Tokens />
      </section>
    </Page>
  );
}

const THEMES = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'auto', label: 'As the system' },
];
const DENSITIES = [
  { value: 'normal', label: 'Normal' },
  { value: 'compact', label: 'Compact' },
];

function Looks() {
  const [theme, setTheme] = useTheme();
  const [{ density }, change] = usePreferences();
  const ids = { theme: useId(), density: useId() };
  return (
    <>
      <div className={classes.choice}>
        <span id={ids.theme}>{texts.theme}</span>
        <SegmentedControl
          aria-labelledby={ids.theme}
          data={THEMES}
          value={theme}
          onChange={(value) => setTheme(value as typeof theme)}
        />
      </div>
      <div className={classes.choice}>
        <span id={ids.density}>{texts.density}</span>
        <SegmentedControl
          aria-labelledby={ids.density}
          data={DENSITIES}
          value={density}
          onChange={(value) => change({ density: value as typeof density })}
        />
      </div>
    </>
  );
}

function ZoneChoice() {
  const [zone, setZone] = useTimeZoneChoice();
  const zones = useMemo(
    () => [...new Set([...(zone === undefined ? [] : [zone]), 'UTC', ...Intl.supportedValuesOf('timeZone')])],
    [zone],
  );
  return (
    <Select
      label={texts.zone}
      description={texts.zoneHelp}
      placeholder={`${texts.ownZone} (${browserZone()})`}
      data={zones}
      value={zone ?? null}
      searchable
      clearable
      limit={50}
      onChange={(chosen) => setZone(chosen ?? undefined)}
    />
  );
}

function StartChoice({ pages }: Pick<ProfilePageProps, 'pages'>) {
  const [{ startPath }, change] = usePreferences();
  const [typed, setTyped] = useState('');
  const { data: saved } = useQuery({
    queryKey: ['saved-searches'],
    queryFn: ({ signal }) => call('GET /search/saved', { signal }),
  });
  const chosenId = streamOfStart(startPath);
  const { titles } = useStreamTitles(chosenId === undefined ? [] : [chosenId]);
  const chosenTitle = chosenId === undefined ? undefined : titles[chosenId];
  const others = startChoices(pages, [], saved?.searches ?? []).flatMap(({ items }) => items);
  const label = chosenTitle ?? others.find(({ value }) => value === startPath)?.label;
  // What was chosen stands in the box: that is no wish to find it.
  const find = typed === label ? '' : typed;
  const found = useFoundChoices(streamSource(), find) ?? [];
  const streams = [
    ...(chosenId === undefined || found.some(({ value }) => value === chosenId)
      ? []
      : [{ id: chosenId, title: chosenTitle ?? chosenId }]),
    ...found.map(({ value, label: title }) => ({ id: value, title })),
  ];
  const groups = startChoices(pages, streams, saved?.searches ?? [], find);
  return (
    <Select
      label={texts.start}
      description={texts.startHelp}
      placeholder={texts.startDefault}
      data={groups.map(({ group, items }) => ({ group, items: [...items] }))}
      value={startPath === '' ? null : startPath}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      filter={({ options }) => options}
      nothingFoundMessage={texts.startNone}
      clearable
      onChange={(path) => change({ startPath: path ?? '' })}
    />
  );
}

function KeysChoice() {
  const [{ singleKeys }, change] = usePreferences();
  return (
    <Switch
      label={texts.keys}
      description={texts.keysHelp}
      checked={singleKeys}
      onChange={(event) => change({ singleKeys: event.currentTarget.checked })}
    />
  );
}
