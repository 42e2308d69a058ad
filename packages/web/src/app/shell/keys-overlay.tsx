import { Modal } from '@mantine/core';
import { useEffect, useState } from 'react';
import { KeyHint } from '../../components/key-hint.tsx';
import { type Shortcut, useKeyMap } from '../../lib/keys/index.ts';
import classes from './keys-overlay.module.css';

const OPEN_EVENT = 'millrace:open-keys';

/** From anywhere: a menu item, the palette, the key itself. */
export function openKeysOverlay(): void {
  document.dispatchEvent(new Event(OPEN_EVENT));
}

/** `?`: the keys of this page and those that work everywhere. */
export function KeysOverlay() {
  const keyMap = useKeyMap();
  const [shortcuts, setShortcuts] = useState<Shortcut[]>();
  useEffect(() => {
    const open = () => setShortcuts(keyMap.list());
    document.addEventListener(OPEN_EVENT, open);
    return () => document.removeEventListener(OPEN_EVENT, open);
  }, [keyMap]);
  const groups = Map.groupBy(shortcuts ?? [], ({ group }) => group);
  return (
    <Modal opened={shortcuts !== undefined} onClose={() => setShortcuts(undefined)} title="Keys" size={640}>
      <div className={classes.groups}>
        {[...groups].map(([group, members]) => (
          <section key={group} className={classes.group}>
            <h3>{group}</h3>
            <dl>
              {members.map(({ keys, label }) => (
                <div key={keys} className={classes.line}>
                  <dt>{label}</dt>
                  <dd>
                    <KeyHint keys={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  );
}
