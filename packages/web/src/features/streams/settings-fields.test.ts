import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { MoreFields } from './settings-fields.tsx';

/** The only switch of the form, with its label, as HTML. */
function renderedSwitch(removeMatches: boolean): string | undefined {
  const values = { title: 'Shop', description: '', indexSetId: '', removeMatches };
  const fields = createElement(MoreFields, { values, onChange: () => {} });
  const client = new QueryClient();
  const html = renderToStaticMarkup(
    createElement(MantineProvider, null, createElement(QueryClientProvider, { client }, fields)),
  );
  return /<label[^>]*><input[^>]* role="switch".*?<\/label>/.exec(html)?.[0];
}

test('a switch, off unless the stream has it on, takes the messages of a stream out of All messages', () => {
  const label = '>Remove matches from &#x27;All messages&#x27; stream</span>';
  expect(renderedSwitch(false)).toContain(label);
  expect(renderedSwitch(false)).not.toContain('checked=""');
  expect(renderedSwitch(true)).toContain(label);
  expect(renderedSwitch(true)).toContain('checked=""');
});
