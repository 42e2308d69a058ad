import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import { accessibilityProblems } from '../support/accessibility.ts';
import { whyNoBrowser } from '../support/browser.ts';
import { callApi } from '../support/node-api.ts';
import { type NodeInBrowser, nodeInBrowser } from '../support/node-in-browser.ts';
import { pipelinesPage } from '../support/pipelines-page.ts';
import { searchPage, suggestion } from '../support/search-page.ts';
import { tooWide } from '../support/too-wide.ts';

const noBrowser = whyNoBrowser();
const HOSTILE = '<img src=x onerror=alert(1)> 🦊 \u202eevil';
const RULE = '/system/pipelines/rule';
const OUTLINE = "getComputedStyle(document.querySelector('.cm-content')).outlineStyle";
const TOOK = (call: string) =>
  `rule "took to ms"\nwhen\n  has_field("took")\nthen\n  set_field("took_ms", ${call}(regex_replace("ms", to_string($message.took), "")));\nend`;

describe.skipIf(noBrowser)(`the pages of pipelines in Chromium${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  const site = nodeInBrowser();

  async function open(...asked: Parameters<NodeInBrowser['open']>) {
    const opened = await site.open(...asked);
    return { ...opened, pipelines: pipelinesPage(opened.page) };
  }
  const send = (fields: object) => site.send({ short_message: 'slow', ...fields });
  /** The search page of what a query finds, once that is stored. */
  async function found(page: Page, query: string) {
    await eventually(async () => {
      const { body } = await callApi(site.address, 'POST', '/messages/search', {
        query,
        streams: [],
        timerange: { type: 'relative', range: 0 },
        limit: 1,
      });
      expect(body.messages).toHaveLength(1);
    });
    await page.goto(`/search?q=${encodeURIComponent(query)}`);
    await searchPage(page).row('slow').first().waitFor();
  }

  test('a rule is written, mended, tried on a message and on history, put into a pipeline, and works', async () => {
    await send({ _took: '1840ms' });
    const { page, complaints, pipelines } = await open('/search');
    await found(page, 'took:1840ms');
    await page.goto('/pipelines');
    await page.getByText('There is no pipeline yet').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await pipelines.openTab('Rules');
    await page.getByText('There is no rule yet').waitFor();
    await page.getByRole('link', { name: 'New rule' }).first().click();
    await pipelines.paste(TOOK('to_lng').replace(/d$/, ''));
    await page.keyboard.type('d');
    await page.getByText('There is no function to_lng.').waitFor();
    // The rule is complete: nothing covers what is wrong with it.
    expect(await page.locator('.cm-tooltip-autocomplete').count()).toBe(0);
    const box = async (part: string) => await page.locator(part).boundingBox();
    expect((await box('.cm-gutters'))?.height).toBe((await box('.cm-content'))?.height);
    expect(await page.evaluate(OUTLINE)).toBe('none');
    await page.getByText('Line 5, column 24').waitFor();
    await page.getByText('Waits until the source has no problems.').first().waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Fix' }).click();
    await pipelines.trace.getByText('matched', { exact: true }).waitFor();
    await pipelines.trace.getByText('took_ms').waitFor();
    await pipelines.trace.getByText('1840', { exact: true }).waitFor();
    await pipelines.history.getByText('All 1: 1 changed').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'took to ms' }).waitFor();
    await page.waitForURL(/pipelines\/rules\/\w{24}$/);

    await page.goto('/pipelines/new');
    await page.getByLabel('Name', { exact: true }).fill('Web');
    await pipelines.choose('Add a rule to stage 0', 'took to ms');
    await page.getByRole('link', { name: 'took to ms' }).waitFor();
    await pipelines.trace.getByText('took_ms').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('It is connected to no stream:').waitFor();
    await pipelines.choose('Connected streams', 'All messages');
    await page.getByRole('link', { name: 'Streams', exact: true }).click();
    await page.getByText('The chosen streams are not connected yet.').waitFor();
    await page.getByRole('button', { name: 'Stay' }).click();
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByText('It is connected to no stream').waitFor({ state: 'hidden' });
    await page.goto('/pipelines');
    await pipelines.row('Web').getByText('1 stage, 1 rule').waitFor();
    await pipelines.row('Web').getByText('All messages').waitFor();
    await pipelines.openTab('Rules');
    await pipelines.row('took to ms').getByText('“Web”').waitFor();

    await send({ _took: '77ms' });
    await found(page, 'took_ms:77');
    // The simulator shows the connected pipeline at work on a message of the search.
    await searchPage(page).row('slow').first().click();
    await page.getByRole('link', { name: 'Try in pipelines' }).click();
    await pipelines.trace.getByText('took to ms').waitFor();
    await page.getByText('1 message would be stored').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('suggestions have documentation; two people who edit the same rule do not overwrite each other', async () => {
    const { body: rule } = await callApi(site.address, 'POST', RULE, {
      source: 'rule "shared"\nwhen\n  true\nthen\nend',
    });
    const { page, complaints, pipelines } = await open(`/pipelines/rules/${rule.id}`, {
      colorScheme: 'dark',
    });
    await pipelines.source.getByText('true').click();
    await page.keyboard.press('End');
    await page.keyboard.type(' && has_fi');
    await suggestion(page, /^has_field/).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.locator('.cm-completionInfo').getByText('field: String').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.keyboard.type('"user"');
    await callApi(site.address, 'PUT', `${RULE}/${rule.id}`, {
      source: 'rule "shared"\nwhen\n  false\nthen\nend',
    });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Somebody else has changed this rule since you opened it.').waitFor();
    await page.getByRole('button', { name: 'Overwrite with mine' }).click();
    await page.getByText('Somebody else has changed this rule').waitFor({ state: 'hidden' });
    await eventually(
      async () =>
        expect((await callApi(site.address, 'GET', `${RULE}/${rule.id}`)).body.source).toContain(
          'true && has_field("user")',
        ),
      { timeoutMs: 60_000 },
    );
    // What is not saved is not lost by a click on another page.
    await pipelines.paste('rule "shared"\nwhen\n  false\nthen\nend');
    await page.getByRole('link', { name: 'Streams' }).first().click();
    await page.getByText('Leave without saving?').waitFor();
    await page.getByRole('button', { name: 'Stay' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('No pipeline uses it.', { exact: false }).last().waitFor();
    await page.getByRole('form').getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL('**/pipelines/rules');
    expect(complaints.filter((text) => !text.includes('409'))).toEqual([]);
    await page.context().close();
  });

  test('hundreds of rules come by page; hostile names are text; readers see what they may, on a phone too', async () => {
    const title = `${HOSTILE} ${'x'.repeat(900)}`;
    const source = `rule ${JSON.stringify(title)}\nwhen\n  true\nthen\nend`;
    const { body: hostile } = await callApi(site.address, 'POST', RULE, { source });
    const { body: pipeline } = await callApi(site.address, 'POST', '/system/pipelines/pipeline', {
      source: `pipeline ${JSON.stringify(title)}\nstage 0 match pass\nrule ${JSON.stringify(title)}\nrule "gone"\nend`,
    });
    await Promise.all(
      Array.from({ length: 60 }, (_, number) =>
        callApi(site.address, 'POST', RULE, { source: `rule "many ${number}"\nwhen\n  true\nthen\nend` }),
      ),
    );
    const { page, complaints, pipelines } = await open('/pipelines/rules?find=many');
    await page.getByText('1–50 of 60 rules').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('51–60 of 60 rules').waitFor();
    await page.getByLabel('Find a rule').fill('many 59');
    await pipelines.row('many 59').waitFor();
    await page.getByText('51–60').waitFor({ state: 'hidden' });
    expect(complaints).toEqual([]);
    await page.context().close();

    const user = { password: 'reader-river', roles: ['Reader'] };
    for (const [username, permissions] of [
      ['rea', []],
      ['pia', ['pipeline:read', 'pipeline_rule:read']],
    ] as const) {
      const email = `${username}@example.org`;
      await callApi(site.address, 'POST', '/users', {
        username,
        email,
        full_name: username,
        permissions,
        ...user,
      });
    }
    const stranger = await open('/pipelines/rules', {}, 'rea', 'reader-river');
    await stranger.page.getByText('Needs pipeline_rule:read. Ask an administrator.').waitFor();
    // Who may read inputs may read grok patterns, and nothing else here.
    await stranger.page.getByRole('link', { name: 'Pipelines' }).click();
    await stranger.page.getByRole('tab', { name: 'Grok patterns', selected: true }).waitFor();
    expect(await stranger.page.getByRole('tab', { name: 'Rules' }).count()).toBe(0);
    expect(stranger.complaints).toEqual([]);
    await stranger.page.context().close();

    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;
    const reader = await open('/pipelines/rules?find=onerror', phone, 'pia', 'reader-river');
    await reader.pipelines.row('onerror').waitFor();
    const wide = () => tooWide(reader.page);
    expect(await wide()).toEqual([]);
    expect(await accessibilityProblems(reader.page)).toEqual([]);
    for (const [path, reason] of [
      [`/pipelines/rules/${hostile.id}`, 'Needs pipeline_rule:edit for this rule. Ask an administrator.'],
      [`/pipelines/${pipeline.id}`, 'Needs pipeline:edit for this pipeline. Ask an administrator.'],
      ['/pipelines/rules/new', 'Needs pipeline_rule:create. Ask an administrator.'],
      ['/pipelines/new', 'Needs pipeline:create. Ask an administrator.'],
    ] as const) {
      await reader.page.goto(path);
      await reader.page.getByText(reason).waitFor();
      expect(await wide()).toEqual([]);
      expect(await accessibilityProblems(reader.page)).toEqual([]);
    }
    await reader.page.goto('/system/pipelines');
    await reader.pipelines.row('onerror').getByText('no stream that you may read').waitFor();
    await reader.page.goto('/pipelines/simulator');
    await reader.page.getByRole('heading', { name: 'Simulator' }).waitFor();
    expect(reader.complaints).toEqual([]);
    await reader.page.context().close();
  });
});
