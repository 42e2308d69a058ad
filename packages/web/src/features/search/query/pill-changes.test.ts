import { expect, test } from 'vitest';
import { pillsOf, withFlipped, withoutPill, withReplaced, withSwitched } from './pill-changes.ts';

const DRAWN = { q: 'level:3 AND source:web', off: ['user:root', 'NOT user:bob'] };
const [level, source, root, bob] = pillsOf(DRAWN);
if (!(level && source && root && bob)) throw new Error('there are four pills');

test('a pill is changed where it is now', () => {
  const latest = { q: 'source:web AND app:shop', off: ['user:root', 'NOT user:bob'] };
  expect(withFlipped(latest, source)).toEqual({ q: 'NOT source:web AND app:shop' });
  expect(withReplaced(latest, source, 'source:db')).toEqual({ q: 'source:db AND app:shop' });
  expect(withoutPill(latest, source)).toEqual({ q: 'app:shop' });
  expect(withSwitched(latest, source)).toEqual({ q: 'app:shop', off: [...DRAWN.off, 'source:web'] });
  expect(withSwitched(latest, bob)).toEqual({
    q: 'source:web AND app:shop AND NOT user:bob',
    off: ['user:root'],
  });
  expect(withoutPill(latest, root)).toEqual({ off: ['NOT user:bob'] });
});

test('a pill that is gone changes nothing', () => {
  const latest = { q: 'source:web', off: ['level:3'] };
  expect(withFlipped(latest, level)).toEqual({ q: 'source:web' });
  expect(withoutPill(latest, level)).toEqual({ q: 'source:web' });
  expect(withSwitched(latest, level)).toEqual({});
  expect(withSwitched(latest, root)).toEqual({});
});
