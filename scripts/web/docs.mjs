/**
 * The documentation as pages that the node serves itself: rendered from docs/ when the web interface is built, so that
 * it works offline and is that of this version. A link that leads nowhere fails the build.
 */
import fs from 'node:fs';
import path from 'node:path';
import { Marked } from 'marked';

/** What people who use the interface read comes first; the rest is below "More". */
const FIRST = [
  'search-page.md',
  'search.md',
  'streams.md',
  'alerts.md',
  'notifications.md',
  'inputs.md',
  'extractors.md',
  'pipelines.md',
  'lookup-tables.md',
  'outputs.md',
  'index-sets.md',
  'operation.md',
  'configuration.md',
  'hardening.md',
  'plugins.md',
  'search-api.md',
  'tail.md',
  'compatibility.md',
  'errors.md',
  'performance.md',
  'scaling.md',
];

/** @returns {import('./docs.d.mts').RenderedDocs} */
export function renderDocs(root) {
  const folder = path.join(root, 'docs');
  const files = fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => file.endsWith('.md'))
    .sort();
  const documents = files.map((file) => parse(file, fs.readFileSync(path.join(folder, file), 'utf8')));
  const anchors = new Map(documents.map(({ file, headings }) => [file, new Set(headings.values())]));
  const problems = [];
  const pages = new Map();
  for (const document of documents) {
    const toHref = (href) => {
      const { url, problem } = resolved(href, document.file, { root, anchors });
      if (problem !== undefined) problems.push(`docs/${document.file}: ${problem}`);
      return url;
    };
    pages.set(pageOf(document.file), layout(document, documents, htmlOf(document, toHref)));
  }
  pages.set('index.html', layout(START, documents, startPage(documents)));
  return { pages, anchors: byPage(anchors), problems };
}

const START = { file: 'index.md', title: 'Documentation', headings: new Map() };
const pageOf = (file) => file.replace(/\.md$/, '.html');
const byPage = (anchors) => new Map([...anchors].map(([file, names]) => [pageOf(file), names]));

function parse(file, text) {
  const tokens = new Marked().lexer(text);
  const headings = new Map();
  const used = new Map();
  for (const token of tokens.filter(({ type }) => type === 'heading')) {
    const slug = slugOf(plainText(token));
    const times = used.get(slug) ?? 0;
    used.set(slug, times + 1);
    headings.set(token, times === 0 ? slug : `${slug}-${times}`);
  }
  const first = tokens.find(({ type, depth }) => type === 'heading' && depth === 1);
  return { file, tokens, headings, title: first === undefined ? file : plainText(first) };
}

/** The text of a heading without its marks. */
function plainText(token) {
  return (token.tokens ?? []).map((inner) => (inner.tokens ? plainText(inner) : inner.text)).join('');
}

/** As GitHub makes them, so that a link works in both places. */
function slugOf(text) {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

/** Where a link of a page leads here; no address for a file that is only in the repository. */
function resolved(href, from, { root, anchors }) {
  if (/^[a-z]+:/i.test(href)) return { url: href };
  const [target, anchor] = href.split('#');
  const file = target === '' ? from : path.posix.normalize(path.posix.join(path.posix.dirname(from), target));
  if (!fs.existsSync(path.join(root, 'docs', file))) return { problem: `${href} leads nowhere` };
  if (!anchors.has(file)) return { url: file === 'openapi.json' ? '/api/openapi.json' : undefined };
  if (anchor !== undefined && !anchors.get(file).has(anchor)) {
    return { problem: `${href}: there is no such heading` };
  }
  const page = path.posix.relative(path.posix.dirname(from), pageOf(file));
  return { url: `${page}${anchor === undefined ? '' : `#${anchor}`}` };
}

function htmlOf({ tokens, headings }, toHref) {
  const marked = new Marked();
  marked.use({
    renderer: {
      heading(token) {
        const id = headings.get(token);
        const text = this.parser.parseInline(token.tokens);
        const attributes = id === undefined ? '' : ` id="${escaped(id)}"`;
        return `<h${token.depth}${attributes}>${text}</h${token.depth}>\n`;
      },
      link(token) {
        const text = this.parser.parseInline(token.tokens);
        const url = toHref(token.href);
        return url === undefined ? text : `<a href="${escaped(url)}">${text}</a>`;
      },
      // Pictures are in the repository only.
      image: ({ text }) => `<em>${escaped(text)}</em>`,
      html: ({ text }) => escaped(text),
      table(token) {
        const row = (cells, tag) =>
          `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`;
        const body = token.rows.map((cells) => row(cells, 'td')).join('\n');
        return `<div class="table" tabindex="0"><table><thead>${row(token.header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`;
      },
      code: ({ text }) => `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`,
    },
  });
  return marked.parser(tokens);
}

function escaped(text) {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function startPage(documents) {
  return `<h1>Documentation</h1>
<p>Of the version that serves this page. The REST API has its own browser: <a href="/api/api-browser/">API browser</a>.</p>
<ul>${sorted(documents)
    .map(({ file, title }) => `<li><a href="${pageOf(file)}">${escaped(title)}</a></li>`)
    .join('\n')}</ul>`;
}

function sorted(documents) {
  const place = ({ file }) => (FIRST.includes(file) ? FIRST.indexOf(file) : FIRST.length);
  return documents.toSorted((a, b) => place(a) - place(b));
}

function layout(document, documents, content) {
  const up = '../'.repeat(document.file.split('/').length - 1);
  const item = ({ file, title }) => {
    const current = file === document.file ? ' aria-current="page"' : '';
    return `<li><a href="${up}${pageOf(file)}"${current}>${escaped(title)}</a></li>`;
  };
  const first = sorted(documents).filter(({ file }) => FIRST.includes(file));
  const rest = documents.filter(({ file }) => !FIRST.includes(file));
  const isOpen = rest.some(({ file }) => file === document.file) ? ' open' : '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(document.title)} – Millrace</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<script src="/theme.js"></script>
<link rel="stylesheet" href="/docs.css">
</head>
<body>
<nav aria-label="Documentation">
<p class="home"><a href="/">Millrace</a> <a href="${up}index.html">Documentation</a></p>
<ul>
${first.map(item).join('\n')}
</ul>
<details${isOpen}><summary>More</summary>
<ul>
${rest.map(item).join('\n')}
</ul>
</details>
</nav>
<main>
${content}</main>
</body>
</html>
`;
}
