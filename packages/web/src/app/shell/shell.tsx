import { Outlet, useLocation } from '@tanstack/react-router';
import { Suspense, useEffect, useRef } from 'react';
import { PartBoundary } from '../../components/part-boundary.tsx';
import {
  AccountProvider,
  useOwnTimeZone,
  usePreferences,
  usePreferredTheme,
} from '../../lib/account/index.ts';
import { useKeyMap } from '../../lib/keys/index.ts';
import { browserZone, TimeZoneProvider } from '../../lib/time/index.ts';
import { SessionEnded } from '../session/session-ended.tsx';
import { BottomBar } from './bottom-bar.tsx';
import { LoadingBar } from './loading-bar.tsx';
import { OfflineBar } from './offline-bar.tsx';
import { Rail } from './rail.tsx';
import { KeysOverlay, Palette } from './requested-parts.ts';
import classes from './shell.module.css';
import { ShellKeys } from './shell-keys.tsx';
import { UnstoredPreference } from './unstored-preference.tsx';

/** Everything around a page. */
export function Shell() {
  const zone = useOwnTimeZone();
  return (
    <AccountProvider>
      <TimeZoneProvider value={zone ?? browserZone()}>
        <a className={classes.skip} href="#page">
          Skip to the page
        </a>
        <div className={classes.shell}>
          <Rail />
          <Content />
          <BottomBar />
        </div>
        <ShellKeys />
        <div className={classes.floating}>
          <PartBoundary>
            <KeysOverlay />
            <Palette />
            <SessionEnded />
          </PartBoundary>
        </div>
      </TimeZoneProvider>
    </AccountProvider>
  );
}

function Content() {
  const { pathname } = useLocation();
  const page = useRef<HTMLElement>(null);
  usePreferredLook();
  usePreferredTheme();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is what this waits for
  useEffect(() => {
    // Whoever reads with the keyboard or by ear begins at the new page, not at the link that led there.
    if (!page.current?.contains(document.activeElement)) page.current?.focus({ preventScroll: true });
  }, [pathname]);
  return (
    <div className={classes.content}>
      <OfflineBar />
      <UnstoredPreference />
      <main id="page" ref={page} className={classes.page} tabIndex={-1}>
        <LoadingBar />
        <Suspense>
          <Outlet />
        </Suspense>
      </main>
    </div>
  );
}

/** What the preferences say about the whole document. */
function usePreferredLook(): void {
  const [{ density, singleKeys }] = usePreferences();
  const keyMap = useKeyMap();
  useEffect(() => {
    document.documentElement.dataset.density = density;
    keyMap.allowSingleKeys(singleKeys);
  }, [density, singleKeys, keyMap]);
}
