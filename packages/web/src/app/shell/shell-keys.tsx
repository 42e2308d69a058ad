import { useNavigate } from '@tanstack/react-router';
import { usePermissions, usePreferences } from '../../lib/account/index.ts';
import { useShortcuts } from '../../lib/keys/index.ts';
import { reachableEntries } from '../navigation.ts';
import { EVERYWHERE, PAGES } from './key-groups.ts';
import { openKeysOverlay, openPalette } from './requested-parts.ts';

/** The keys that work on every page. */
export function ShellKeys() {
  const navigate = useNavigate();
  const entries = reachableEntries(usePermissions());
  const [{ railCollapsed }, changePreferences] = usePreferences();
  useShortcuts([
    { keys: 'mod+k', label: 'Go to or do', group: EVERYWHERE, run: openPalette },
    { keys: '?', label: 'Show the keys', group: EVERYWHERE, run: openKeysOverlay },
    {
      keys: '\\',
      label: 'Names beside the icons',
      group: EVERYWHERE,
      run: () => changePreferences({ railCollapsed: !railCollapsed }),
    },
    ...entries.map(({ to, label, goKey }) => ({
      keys: `g ${goKey}`,
      label,
      group: PAGES,
      run: () => void navigate({ to }),
    })),
  ]);
  return null;
}
