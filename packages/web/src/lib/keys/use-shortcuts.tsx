import { createContext, type ReactNode, useContext, useLayoutEffect, useState } from 'react';
import { createKeyMap, type KeyMap, type Shortcut } from './key-map.ts';

const KeyMapContext = createContext<KeyMap | undefined>(undefined);

/** Listens to the keys of the whole page. */
export function KeyMapProvider({ children }: { readonly children: ReactNode }) {
  const [keyMap] = useState(createKeyMap);
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || isModifier(event.key)) return;
      const shortcut = keyMap.match({
        key: event.key,
        ctrlKey: event.ctrlKey,
        metaKey: event.metaKey,
        altKey: event.altKey,
        isAltGraph: event.getModifierState('AltGraph'),
        isTyping: isTextField(event.target) || hasOpenDialog(),
        time: event.timeStamp,
      });
      if (shortcut === undefined) return;
      event.preventDefault();
      shortcut.run(event);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [keyMap]);
  return <KeyMapContext value={keyMap}>{children}</KeyMapContext>;
}

export function useKeyMap(): KeyMap {
  const keyMap = useContext(KeyMapContext);
  if (keyMap === undefined) throw new Error('there is no KeyMapProvider above');
  return keyMap;
}

/** These keys work while the component is there. The list may be a new one with every render. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const keyMap = useKeyMap();
  // Before the paint: what can be seen can be used.
  useLayoutEffect(() => keyMap.add(shortcuts));
}

function isModifier(key: string): boolean {
  return key === 'Shift' || key === 'Control' || key === 'Alt' || key === 'Meta' || key === 'AltGraph';
}

function isTextField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement) return true;
  if (target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLInputElement && !/^(?:button|checkbox|radio|range|submit)$/.test(target.type);
}

/** The page below a dialog does not hear keys: what they would change cannot be seen. */
function hasOpenDialog(): boolean {
  return document.querySelector('[role="dialog"][aria-modal="true"]') !== null;
}
