import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import { accessibilityProblems } from '../support/accessibility.ts';
import { openBrowser, whyNoBrowser } from '../support/browser.ts';
import { callApi, KNOWN_PASSWORD } from '../support/node-api.ts';
import { type NodeProcess, startNode } from '../support/node-process.ts';
import { overviewPage } from '../support/overview-page.ts';
import { tooWide } from '../support/too-wide.ts';
import { hoverFor, loginForm, openWatchedPage } from '../support/web-page.ts';

const noBrowser = whyNoBrowser();

describe.skipIf(noBrowser)(`the pages of nodes in Chromium${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  let node: NodeProcess;
  let browser: Browser;
  let address: string;
  let nodeId: string;

  beforeAll(async () => {
    node = startNode({}, { env: KNOWN_PASSWORD });
    [address, browser] = await Promise.all([node.ready(), openBrowser()]);
    nodeId = Object.keys((await callApi(address, 'GET', '/cluster')).body)[0] ?? '';
  });
  afterAll(async () => {
    await browser?.close();
    node?.kill();
    await node?.exited();
  });

  async function open(path: string, options: BrowserContextOptions = {}, user = 'admin', password = 'river') {
    const opened = await openWatchedPage(browser, address, { reducedMotion: 'reduce', ...options });
    await opened.page.goto(path);
    await loginForm(opened.page).logIn(user, password);
    await opened.page.getByRole('navigation', { name: 'Pages' }).first().waitFor();
    return { ...opened, overview: overviewPage(opened.page) };
  }
  const stateOfNode = async () => (await callApi(address, 'GET', '/system')).body;

  test('a node is paused and resumed, drained and given back, each after its effect was said', async () => {
    const { page, complaints, overview } = await open('/overview');
    await page.getByText('Nothing needs your attention.').waitFor();
    await overview.leader.getByText('running').waitFor();
    await overview.leader.getByRole('button', { name: 'Pause' }).click();
    await page.getByText(/Messages are still received, and wait in its journal/).waitFor();
    await overview.question.getByRole('button', { name: 'Cancel' }).click();
    expect((await stateOfNode()).is_processing).toBe(true);
    await overview.leader.getByRole('button', { name: 'Pause' }).click();
    await overview.question.getByRole('button', { name: 'Pause' }).click();
    await overview.leader.getByText('paused').waitFor();
    expect((await stateOfNode()).is_processing).toBe(false);
    await overview.leader.getByRole('button', { name: 'Resume' }).click();
    await overview.leader.getByText('running').waitFor();

    await overview.choose('Drain: say dead');
    await page.getByText(/They send nothing new to it/).waitFor();
    await overview.question.getByRole('button', { name: 'Drain: say dead' }).click();
    await overview.leader.getByText('dead, by hand').waitFor();
    expect((await fetch(`${address}/api/system/lbstatus`)).status).toBe(503);
    await overview.choose('Decide by itself');
    await overview.leader.getByText('alive', { exact: true }).waitFor();

    const download = page.waitForEvent('download');
    await overview.leader.getByRole('button', { name: 'Report' }).click();
    expect((await download).suggestedFilename()).toMatch(/^report-.+\.json$/);

    await overview.choose('Shut down');
    await page.getByText(/It is the only node, so this page stops working too/).waitFor();
    await overview.question.getByRole('button', { name: 'Cancel' }).click();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('a node shows its state, sets log levels, and gives its log and a thread dump', async () => {
    const { page, complaints, overview } = await open(`/nodes/${nodeId}`);
    await page.getByRole('region', { name: 'Journal' }).getByText('Folder').waitFor();
    await page.getByRole('region', { name: 'About' }).getByText(nodeId).waitFor();
    await overview.openTab('Log levels');
    await page.getByRole('combobox', { name: 'Level of REST API' }).click();
    await page.getByRole('option', { name: 'debug' }).click();
    await page.getByText('REST API logs debug').waitFor();
    const { body } = await callApi(address, 'GET', '/system/loggers');
    expect(body.loggers.api.level).toBe('debug');
    await callApi(address, 'PUT', '/system/loggers/api/level/info');
    await overview.openTab('Log');
    await page.getByRole('table', { name: 'Log' }).getByText('ready').first().waitFor();
    await overview.openTab('Thread dump');
    await page.getByRole('button', { name: 'Make a thread dump' }).click();
    await page.getByRole('region', { name: 'The thread dump' }).getByText('javascriptStack').waitFor();
    await page.getByRole('link', { name: 'Download' }).waitFor();
    await page.goto('/nodes/none');
    await page.getByRole('heading', { name: 'There is no such node' }).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('what needs attention is listed, with the way to its cause, and can be dismissed', async () => {
    const taken = new URL(address).port;
    await callApi(address, 'POST', '/system/inputs', {
      title: '<img src=x onerror=alert(1)>',
      type: 'org.graylog2.inputs.gelf.tcp.GELFTCPInput',
      global: false,
      node: nodeId,
      configuration: { bind_address: '127.0.0.1', port: Number(taken) },
    });
    await eventually(
      async () => {
        const { body } = await callApi(address, 'GET', '/system/notifications');
        expect(body.total).toBeGreaterThan(0);
      },
      { timeoutMs: 60_000 },
    );
    const { page, complaints } = await open('/overview');
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await attention.getByText('An input could not start').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await attention.getByRole('button', { name: 'What to do' }).click();
    await attention.getByText(/mostly the port is taken by another program/).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await attention.getByRole('link', { name: 'Go there' }).click();
    await page.waitForURL(/\/inputs\/[0-9a-f]+$/);
    await page.goto('/overview');
    await attention.getByRole('button', { name: 'Dismiss: An input could not start' }).click();
    await attention.getByText('An input could not start').waitFor({ state: 'hidden' });
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('a reader sees how the cluster does; what they may not do says why', async () => {
    await callApi(address, 'POST', '/users', {
      username: 'rea',
      password: 'reader-river',
      email: 'rea@example.org',
      full_name: 'Rea',
      roles: ['Reader'],
    });
    const { page, complaints, overview } = await open('/overview', {}, 'rea', 'reader-river');
    await hoverFor(
      overview.leader.getByRole('button', { name: 'Pause' }),
      'Needs processing:changestate for this node. Ask an administrator.',
    );
    await page.goto(`/nodes/${nodeId}`);
    await page.getByRole('region', { name: 'Memory' }).waitFor();
    await overview.openTab('Log levels');
    await page.getByText('Needs loggers:readsubsystem. Ask an administrator.').waitFor();
    await overview.openTab('Log');
    await page.getByText('Needs loggersmessages:read. Ask an administrator.').waitFor();
    await overview.openTab('Thread dump');
    await hoverFor(
      page.getByRole('button', { name: 'Make a thread dump' }),
      'Needs threads:dump for this node. Ask an administrator.',
    );
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('axe finds nothing', async () => {
    const { page, complaints, overview } = await open('/overview');
    await overview.leader.getByRole('button', { name: 'Pause' }).click();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.goto(`/nodes/${nodeId}`);
    await page.getByRole('region', { name: 'About' }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await overview.openTab('Log levels');
    await page.getByRole('combobox', { name: 'Level of REST API' }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await overview.openTab('Log');
    await page.getByRole('table', { name: 'Log' }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/overview');
    await overview.leader.waitFor();
    expect(await tooWide(page)).toEqual([]);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
