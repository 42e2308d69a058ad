import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { helpOf, PLACES } from '../../packages/web/src/lib/help/places.ts';
import { renderDocs } from './docs.mjs';

const root = path.resolve(import.meta.dirname, '../..');

describe('our documentation', () => {
  const { pages, anchors, problems } = renderDocs(root);

  test('no link leads nowhere', () => {
    expect(problems).toEqual([]);
  });

  test('every help link of the web interface leads to a heading that is there', () => {
    const broken = Object.values(PLACES).filter((place) => {
      const [page = '', anchor] = place.split('#');
      return !pages.has(page) || (anchor !== undefined && !anchors.get(page)?.has(anchor));
    });
    expect(broken).toEqual([]);
  });

  test('every page has a title and is in the navigation of the others', () => {
    for (const [name, html] of pages) {
      expect(html).toMatch(/<h1/);
      if (!name.includes('/')) expect(pages.get('index.html')).toContain(`href="${name}"`);
    }
  });
});

test('the help of a page is that of the longest beginning of its address', () => {
  expect(helpOf('/alerts')).toBe('/docs/alerts.html');
  expect(helpOf('/alerts/conditions/new')).toBe('/docs/alerts.html#conditions');
  expect(helpOf('/inputs/1', { tab: 'extractors' })).toBe('/docs/extractors.html');
  expect(helpOf('/inputs/1', { tab: 'rates' })).toBe('/docs/inputs.html');
  expect(helpOf('/alertsx')).toBe('/docs/index.html');
  expect(helpOf('/')).toBe('/docs/index.html');
});

describe('rendering', () => {
  let folder;
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'millrace-docs-'));
    fs.mkdirSync(path.join(folder, 'docs', 'deep'), { recursive: true });
  });
  afterEach(() => fs.rmSync(folder, { recursive: true }));
  const write = (file, text) => fs.writeFileSync(path.join(folder, file), text);

  test('broken files and headings are named', () => {
    write('docs/a.md', '# A\n\n[gone](b.md) [none](#none) [away](../../x.md) [web](https://example.org)\n');
    expect(renderDocs(folder).problems).toEqual([
      'docs/a.md: b.md leads nowhere',
      'docs/a.md: #none: there is no such heading',
      'docs/a.md: ../../x.md leads nowhere',
    ]);
  });

  test('links lead to pages, from folders too; files of the repository are no links', () => {
    write('LICENSE', '');
    write('docs/a.md', '# A `code`\n\n## Two words\n\n## Two words\n\n[licence](../LICENSE)\n');
    write('docs/deep/b.md', '# B\n\n[a](../a.md#two-words-1)\n');
    const { pages, problems } = renderDocs(folder);
    expect(problems).toEqual([]);
    expect(pages.get('deep/b.html')).toContain('<a href="../a.html#two-words-1">a</a>');
    expect(pages.get('a.html')).toContain('<h2 id="two-words-1">');
    expect(pages.get('a.html')).not.toContain('LICENSE');
    expect(pages.get('a.html')).toContain('licence');
    expect(pages.get('a.html')).toContain('<title>A code – Millrace</title>');
  });

  test('markup in texts is text', () => {
    write('docs/a.md', '# A <script>alert(1)</script>\n\n<b onclick="x">hi</b>\n\n`<i>`\n');
    const html = renderDocs(folder).pages.get('a.html');
    expect(html).not.toContain('<script>alert');
    expect(html).not.toContain('<b onclick');
    expect(html).toContain('&lt;i&gt;');
  });
});
