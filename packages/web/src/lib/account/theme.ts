import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core';
import { useEffect } from 'react';
import { usePreferences } from './preferences.ts';

export type Theme = MantineColorScheme;

/** The theme, and how to choose another one: here at once, and on every other machine of this user. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [, change] = usePreferences();
  return [
    colorScheme,
    (theme) => {
      setColorScheme(theme);
      change({ theme });
    },
  ];
}

/** Takes over what was chosen on another machine. The browser keeps a copy, for the first paint. */
export function usePreferredTheme(): void {
  const { setColorScheme } = useMantineColorScheme();
  const [{ theme }] = usePreferences();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the preference is what this waits for
  useEffect(() => {
    if (theme !== '') setColorScheme(theme);
  }, [theme]);
}
