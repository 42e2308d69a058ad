import { MantineProvider } from '@mantine/core';
import type { Stream } from '@millrace/contract';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { RulesTab } from './rules-tab.tsx';

const rendered = (id: string) => {
  const stream = { id, is_editable: false, matching_type: 'AND', rules: [], state: 'running' };
  const tab = createElement(RulesTab, { stream: stream as unknown as Stream });
  return renderToStaticMarkup(createElement(MantineProvider, null, tab));
};

test('a stream that is built in says how messages get in, and has no rules to edit or to try', () => {
  const all = rendered('000000000000000000000001');
  expect(all).toContain('Every message gets into this stream');
  expect(all).not.toContain('Without a rule');
  expect(all).not.toContain('Preview');
  expect(rendered('000000000000000000000002')).toContain('alert conditions');
  expect(rendered('000000000000000000000004')).toContain('could not be read or stored');
  expect(rendered('00000000000000000000000f')).toContain('without rules');
});
