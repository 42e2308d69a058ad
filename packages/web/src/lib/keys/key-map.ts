/** One thing a key does. */
export interface Shortcut {
  /** `/`, `?`, `mod+k` (Ctrl, or Cmd on a Mac), `g s` (one after the other), `Escape`, `ArrowDown`. */
  readonly keys: string;
  readonly label: string;
  /** Heading in the list of keys. */
  readonly group: string;
  readonly run: (event: KeyboardEvent) => void;
  /** Also while somebody types. Keys with `mod` always are. */
  readonly inInputs?: boolean | undefined;
}

/** The part of a keyboard event that decides. */
export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly isAltGraph: boolean;
  readonly isTyping: boolean;
  readonly time: number;
}

export interface KeyMap {
  /** Until the returned function is called. What was added last comes first. */
  readonly add: (shortcuts: readonly Shortcut[]) => () => void;
  /** What the press means, if anything. Remembers the first half of a sequence. */
  readonly match: (press: KeyPress) => Shortcut | undefined;
  /** What is in force now, without those that a later one hides. */
  readonly list: () => Shortcut[];
  /** Keys without `mod` can be switched off, for people whose speech or hands press keys by accident. */
  readonly allowSingleKeys: (isAllowed: boolean) => void;
}

/** How long the second key of a sequence may take. */
const SEQUENCE_MS = 1200;

export function createKeyMap(): KeyMap {
  const layers: (readonly Shortcut[])[] = [];
  let singleKeysAllowed = true;
  let pending: { readonly name: string; readonly until: number } | undefined;

  const inForce = () => {
    const byKeys = new Map<string, Shortcut>();
    for (const shortcut of layers.flat()) byKeys.set(shortcut.keys, shortcut);
    return byKeys;
  };

  return {
    add(shortcuts) {
      layers.push(shortcuts);
      return () => {
        const index = layers.indexOf(shortcuts);
        if (index >= 0) layers.splice(index, 1);
      };
    },
    match(press) {
      const name = pressName(press);
      const byKeys = inForce();
      const prefix = pending !== undefined && press.time <= pending.until ? `${pending.name} ` : '';
      pending = undefined;
      const shortcut = byKeys.get(prefix + name) ?? byKeys.get(name);
      if (shortcut !== undefined) return isAllowed(shortcut, press, singleKeysAllowed) ? shortcut : undefined;
      const starts = [...byKeys.keys()].some((keys) => keys.startsWith(`${name} `));
      if (starts && !press.isTyping && singleKeysAllowed) {
        pending = { name, until: press.time + SEQUENCE_MS };
      }
      return undefined;
    },
    list: () => [...inForce().values()].filter(({ keys }) => singleKeysAllowed || keys.startsWith('mod+')),
    allowSingleKeys(isAllowedNow) {
      singleKeysAllowed = isAllowedNow;
    },
  };
}

function isAllowed(shortcut: Shortcut, press: KeyPress, singleKeysAllowed: boolean): boolean {
  if (shortcut.keys.startsWith('mod+')) return true;
  if (press.isTyping) return shortcut.inInputs === true;
  return singleKeysAllowed || shortcut.keys.length > 1;
}

/** AltGr makes characters such as `[` on many keyboards and reports itself as Ctrl and Alt. */
function pressName({ key, ctrlKey, metaKey, altKey, isAltGraph }: KeyPress): string {
  if (isAltGraph) return key;
  const name = key.length === 1 && (ctrlKey || metaKey) ? key.toLowerCase() : key;
  return `${ctrlKey || metaKey ? 'mod+' : ''}${altKey ? 'alt+' : ''}${name}`;
}
