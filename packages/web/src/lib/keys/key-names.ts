const SIGNS: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  ' ': 'Space',
};

/** `mod+k` as `['Ctrl', 'K']`, `g s` as `['g', 's']`: what is printed on the keys. */
export function keyNames(keys: string, isMac = onMac()): string[] {
  if (keys === ' ') return ['Space'];
  return keys.split(' ').flatMap((press) => {
    const parts = press === '+' ? ['+'] : press.split('+');
    return parts.map((part) => {
      if (part === 'mod') return isMac ? '⌘' : 'Ctrl';
      if (part === 'alt') return isMac ? '⌥' : 'Alt';
      return SIGNS[part] ?? (parts.length > 1 ? part.toUpperCase() : part);
    });
  });
}

function onMac(): boolean {
  return typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform);
}
