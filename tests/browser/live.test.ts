import net from 'node:net';
import type { BrowserContextOptions } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import { accessibilityProblems } from '../support/accessibility.ts';
import { whyNoBrowser } from '../support/browser.ts';
import { callApi } from '../support/node-api.ts';
import { nodeInBrowser } from '../support/node-in-browser.ts';
import { resultsPage } from '../support/results-page.ts';
import { searchPage } from '../support/search-page.ts';

const noBrowser = whyNoBrowser();
const PER_SECOND = 2000;
const TICKS = 20;
const ALL_OF_GAP = '/search/universal/relative?query=source:gap&range=3600&limit=1';
/** As texts: tests are not compiled with the types of a browser. */
const MARK_LIST = `document.querySelector('[role=grid]').dataset.marked = 'yes'`;
const TWO_FRAMES = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';

describe.skipIf(noBrowser)(`live in Chromium${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  let port: number;
  const site = nodeInBrowser({
    seed: async () => {
      port = await site.node.inputPort('GELF TCP');
    },
  });

  /** Sends messages until it is stopped. */
  function sender(host: string, perSecond: number) {
    const socket = net.connect(port, '127.0.0.1');
    let sent = 0;
    const send = (count: number) => {
      const lines = Array.from({ length: count }, () => {
        sent += 1;
        return JSON.stringify({
          version: '1.1',
          host,
          short_message: `${host} line ${sent}`,
          timestamp: Date.now() / 1000,
          level: 6,
        });
      });
      socket.write(`${lines.join('\0')}\0`);
    };
    const stop = () => {
      clearInterval(timer);
      socket.end();
    };
    const timer = perSecond === 0 ? undefined : setInterval(() => send(perSecond / TICKS), 1000 / TICKS);
    // A test that fails does not leave a flood behind.
    onTestFinished(stop);
    return {
      send,
      sent: () => sent,
      stop,
    };
  }

  async function open(search: string, options: BrowserContextOptions = {}) {
    const opened = await site.open(`/search${search}`, options);
    const found = searchPage(opened.page);
    await found.query.waitFor();
    return { ...opened, search: found, results: resultsPage(opened.page) };
  }

  test('walk 12: two thousand a second say their rate, and the line that is read stays', async () => {
    const { page, complaints, results } = await open('?q=source:fast');
    const fast = sender('fast', PER_SECOND);
    await results.goLive();
    await results.row('fast line').first().waitFor();
    await page.getByText(/Showing 100 of [\d\s]+ a second/).waitFor();
    // What was seen stays: without messages there would be no list for a moment, and then another one.
    await page.evaluate(MARK_LIST);
    await page.getByRole('button', { name: /^Show 1.000$/ }).click();
    await page.getByText(/Showing 1.000 of|so far not shown/).waitFor();
    expect(await results.list.getAttribute('data-marked')).toBe('yes');
    expect(await accessibilityProblems(page)).toEqual([]);
    // Somebody scrolls up and reads.
    await results.list.hover();
    await page.mouse.wheel(0, -600);
    const pill = page.getByRole('button', { name: /new$/ });
    await pill.waitFor();
    // Until the wheel has stopped.
    const { texts, top } = await eventually(async () => {
      const seen = { texts: await results.rowTexts(), top: await results.scrollTop() };
      await page.evaluate(TWO_FRAMES);
      expect(await results.scrollTop()).toBe(seen.top);
      return seen;
    });
    const counted = await pill.textContent();
    await eventually(async () => expect(await pill.textContent()).not.toBe(counted));
    expect(await results.rowTexts()).toEqual(texts);
    expect(await results.scrollTop()).toBe(top);
    await pill.click();
    await pill.waitFor({ state: 'hidden' });
    fast.stop();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('walk 12 by keyboard, dark: a pause is filled when it ends', async () => {
    const { page, complaints, search, results } = await open('?q=source:slow', { colorScheme: 'dark' });
    const slow = sender('slow', 0);
    await page.locator('main').focus();
    await page.keyboard.press('l');
    await page.getByText('Following').waitFor();
    slow.send(3);
    await results.row('slow line 3').waitFor();
    await page.keyboard.press(' ');
    await page.getByText('Paused').waitFor();
    slow.send(5);
    await page.getByText('5 new since the pause').waitFor();
    expect(await results.row('slow line 4').count()).toBe(0);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press(' ');
    await results.row('slow line 8').waitFor();
    await eventually(async () =>
      expect((await results.rowTexts()).map((text) => /line \d+/.exec(text)?.[0])).toEqual(
        Array.from({ length: 8 }, (_, at) => `line ${at + 1}`),
      ),
    );
    // Walk 13: stopping keeps what was seen.
    await page.keyboard.press('l');
    await search.found('8 messages');
    expect(page.url()).not.toContain('live=');
    await results.row('slow line 1').waitFor();
    slow.stop();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('a gap that is too large is offered', async () => {
    const { page, complaints, search, results } = await open('?q=source:gap');
    const gap = sender('gap', 0);
    await results.goLive();
    gap.send(1);
    await results.row('gap line 1').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused').waitFor();
    gap.send(1500);
    // A busy node does not look at all of them for the tail.
    await page.getByText(/[1-9][\d\s.,]* new since the pause/).waitFor();
    await eventually(
      async () => expect((await callApi(site.address, 'GET', ALL_OF_GAP)).body.total_results).toBe(1501),
      { timeoutMs: 120_000 },
    );
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText(/1.50\d came meanwhile\./).waitFor();
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await search.total.getByText(/1.50\d messages/).waitFor();
    gap.stop();
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
