import { Modal } from '@mantine/core';
import { useEffect, useState } from 'react';
import { KeyHint } from '../../components/key-hint.tsx';
import { type Shortcut, useKeyMap } from '../../lib/keys/index.ts';
import classes from './keys-overlay.module.css';

/** `?`: the keys of this page and those that work everywhere. */
export function KeysOverlay({ request }: { readonly request: number }) {
  const keyMap = useKeyMap();
  const [shortcuts, setShortcuts] = useState<Shortcut[]>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: every request opens it
  useEffect(() => setShortcuts(keyMap.list()), [keyMap, request]);
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
