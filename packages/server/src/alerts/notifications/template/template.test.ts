import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aBacklogMessage, aNotice } from '#testing/alert-notice.ts';
import { asIs, escapeHtml, escapeJson, oneLine } from './escape.ts';
import { templateModel } from './model.ts';
import { parseTemplate, templateProblem } from './template.ts';
import { Moment, type TemplateModel } from './values.ts';

const model: TemplateModel = {
  name: 'Shop',
  empty: '',
  none: null,
  zero: 0,
  no: false,
  list: ['a', 'b', 'c'],
  nothing: [],
  nested: { 'user.id': 7, deep: { er: 'x' } },
  at: new Moment(Date.UTC(2026, 2, 1, 12)),
  html: '<b>&"\'',
};

function f(source: string, expected: string): void {
  const rendered = parseTemplate(source).render(model, { escape: asIs, timeZone: 'UTC' });
  expect(rendered, source).toBe(expected);
}

test('values', () => {
  f('plain text, $5, {braces} and \\${escaped}', 'plain text, $5, {braces} and ${escaped}');
  f('Hello ${name}!', 'Hello Shop!');
  f('${ name }', 'Shop');
  f('[${unknown}][${name.unknown}][${none}][${empty}]', '[][][][]');
  f('${zero} ${no}', '0 false');
  f('${list} ${nested.deep}', '[a, b, c] {er=x}');
  f('${nested.user.id} ${nested.deep.er}', '7 x');
  f('${at}', '2026-03-01T12:00:00.000Z');
  f('${unknown(nothing)} ${name(nothing)}', 'nothing Shop');
  f('${<,name,>}${<,unknown,>}', '<Shop>');
  f('${name;string(x)}', 'Shop');
  f('a${-- a comment}b', 'ab');
  f('${constructor}${__proto__}${name.length}${list.length}', '');
});

test('conditions', () => {
  f('${if name}yes${else}no${end}', 'yes');
  f('${if empty}yes${else}no${end}', 'no');
  f('${if none}yes${end}', '');
  f('${if zero}yes${else}no${end}', 'yes');
  f('${if no}yes${else}no${end}', 'no');
  f('${if nothing}yes${else}no${end}', 'no');
  f('${if !nothing}none${end}', 'none');
  f("${if name='Shop'}yes${else}no${end}", 'yes');
  f("${if name = 'Web'}yes${else}no${end}", 'no');
  f("${if none}a${elseif name='Shop'}b${else}c${end}", 'b');
  f('${if name}${if none}x${else}y${end}${end}', 'y');
});

test('loops', () => {
  f('${foreach list item}<${item}>${end}', '<a><b><c>');
  f('${foreach list item , }${item}${end}', 'a, b, c');
  f('${foreach list i}${if !first_i}-${end}${index_i}${i}${if last_i}.${end}${end}', '0a-1b-2c.');
  f('${foreach nested entry ;}${entry.key}=${entry.value}${end}', 'user.id=7;deep={er=x}');
  f('${foreach nothing x}${x}${end}${foreach unknown x}${x}${end}', '');
  f('${foreach list a}${foreach list b}${a}${b} ${end}${end}', 'aa ab ac ba bb bc ca cb cc ');
});

test('what is wrong is said, with the line', () => {
  const problem = (source: string, expected: RegExp) => expect(templateProblem(source)).toMatch(expected);
  problem('a\n${if x}b', /line 2: \$\{if x\} has no \$\{end\}/);
  problem('${end}', /\$\{end\} without/);
  problem('${foreach x}${end}', /expected \$\{foreach list name\}/);
  problem('a\n\n${name', /line 3: \$\{ without \}/);
  problem('${}', /not the name of a value/);
  problem('${if }x${end}', /expected a name/);
  problem('${foreach list x}${else}${end}', /no \$\{end\}/);
  problem('${if a}'.repeat(60) + '${end}'.repeat(60), /nested/);
  expect(templateProblem('${name} ${if a}${else}${end}')).toBeUndefined();
});

test('each value is escaped, the template is not', () => {
  const html = parseTemplate('<p title="${html}">${html}</p>').render(model, {
    escape: escapeHtml,
    timeZone: 'UTC',
  });
  expect(html).toBe('<p title="&lt;b&gt;&amp;&quot;&#39;">&lt;b&gt;&amp;&quot;&#39;</p>');
  expect(oneLine('Subject\r\nBcc: all@example.org\0')).toBe('Subject Bcc: all@example.org');
});

test('a JSON template stays JSON, whatever the values', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const body = parseTemplate('{"text":"${text}"}').render(
        { text },
        { escape: escapeJson, timeZone: 'UTC' },
      );
      expect(JSON.parse(body)).toEqual({ text });
    }),
  );
});

test('loops within loops end', () => {
  const many: TemplateModel = { list: Array.from({ length: 1000 }, () => 'x'.repeat(100)) };
  const nested = parseTemplate('${foreach list a}${foreach list b}${foreach list c}${c}${end}${end}${end}');
  expect(() => nested.render(many, { escape: asIs, timeZone: 'UTC' })).toThrow(/too much text/);
});

test('any text is a template or has a problem', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('${', '}', 'if ', 'x', 'end', 'else', 'foreach l i', '\\', ' ', '\n', '='), {
        maxLength: 30,
      }),
      (pieces) => {
        const source = pieces.join('');
        const problem = templateProblem(source);
        if (problem !== undefined) return;
        parseTemplate(source).render(model, { escape: asIs, timeZone: 'UTC' });
      },
    ),
  );
});

test('a notice has the names of alarm callbacks and of events', () => {
  const notice = aNotice({ key: ['shop-1'], groupBy: { source: 'shop-1' } });
  const render = (source: string, timeZone = 'UTC') =>
    parseTemplate(source).render(templateModel(notice, 'https://logs.example.org/'), {
      escape: asIs,
      timeZone,
    });
  expect(render('${stream.title}: ${check_result.resultDescription}')).toMatch(/^Shop: Stream had 7 /);
  expect(render('${check_result.triggeredAt}', 'Europe/Berlin')).toBe('2026-03-01T13:00:00.000+01:00');
  expect(render('${event.timestamp}', 'Asia/Kolkata')).toBe('2026-03-01T17:30:00.000+05:30');
  expect(render('${check_result.triggeredCondition.type} ${alertCondition.title}')).toBe(
    'message_count Too many errors',
  );
  expect(render('${event_definition_title}/${event.key}/${event.priority}/${event.alert}')).toBe(
    'Too many errors/shop-1/2/true',
  );
  expect(render('${foreach event.group_by_fields f}${f.key}=${f.value}${end}')).toBe('source=shop-1');
  expect(render('${foreach backlog m}${m}|${m.fields.level}${end} ${backlog_size}')).toBe(
    'source: shop-1 | message: payment failed { level: 3 | user: anna }|3 1',
  );
  expect(render('${stream_url}')).toBe(
    'https://logs.example.org/search?q=%28level%3A%3C4%29+AND+source%3A%22shop-1%22&t=2026-03-01T11%3A55%3A00.000Z%2F2026-03-01T12%3A00%3A00.000Z&s=5f0000000000000000000001',
  );
  expect(render('${if is_resolved}over${else}not over${end}')).toBe('not over');
});

test("messages cannot change a template's meaning", () => {
  const backlog = [aBacklogMessage({ message: '${event.id} <script>alert(1)</script>' })];
  const html = parseTemplate('${foreach backlog m}${m.message}${end}').render(
    templateModel(aNotice({ backlog }), 'https://logs.example.org/'),
    { escape: escapeHtml, timeZone: 'UTC' },
  );
  expect(html).toBe('${event.id} &lt;script&gt;alert(1)&lt;/script&gt;');
});
