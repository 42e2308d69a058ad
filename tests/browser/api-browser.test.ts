import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser, whyNoBrowser } from '../support/browser.ts';
import { type NodeProcess, startNode } from '../support/node-process.ts';

const noBrowser = whyNoBrowser();

describe.skipIf(noBrowser)(`in Chromium${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  let node: NodeProcess;
  let browser: Browser;
  let address: string;
  let password: string;

  beforeAll(async () => {
    node = startNode();
    [address, browser] = await Promise.all([node.ready(), openBrowser()]);
    password = (await node.printed(/Password +(\S+)/))[1] ?? '';
  });
  afterAll(async () => {
    await browser?.close();
    node?.kill();
    await node?.exited();
  });

  /** A page that collects what goes wrong in it: script errors, blocked resources, requests to strangers. */
  async function openPage(credentials?: { username: string; password: string }) {
    const context = await browser.newContext(credentials ? { httpCredentials: credentials } : {});
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('request', (request) => {
      if (!request.url().startsWith(address) && !request.url().startsWith('data:')) {
        complaints.push(`request to ${request.url()}`);
      }
    });
    return { page, complaints };
  }

  /** Runs an operation with "try it out"; gives the status and the body that the page shows. */
  async function execute(page: Page, method: string, path: string) {
    const block = page.locator(`.opblock-${method}`, { has: page.locator(`[data-path="${path}"]`) });
    await block.locator('.opblock-summary-control').click();
    await block.getByRole('button', { name: 'Execute' }).click();
    const answer = block.locator('.live-responses-table .response').first();
    await answer.waitFor();
    return {
      status: (await answer.locator('.response-col_status').textContent())?.trim(),
      body: await answer.locator('.response-col_description').textContent(),
    };
  }

  test('the API browser asks for user name and password', async () => {
    const answer = await fetch(`${address}/api/api-browser/`);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Basic /);
  });

  test('it lists every route and runs GET and POST calls under our policy', async () => {
    const { page, complaints } = await openPage({ username: 'admin', password });
    await page.goto(`${address}/api/api-browser/`);
    await page.locator('.opblock-tag-section').first().waitFor();

    const openApi = (await page.evaluate(async () => (await fetch('../openapi.json')).json())) as {
      paths: Record<string, Record<string, unknown>>;
    };
    for (const tag of await page.locator('.opblock-tag').all()) await tag.click();
    const methods = new Set(['get', 'post', 'put', 'patch', 'delete']);
    const operations = Object.values(openApi.paths).flatMap((path) =>
      Object.keys(path).filter((key) => methods.has(key)),
    );
    await expect.poll(() => page.locator('.opblock').count()).toBe(operations.length);

    const cluster = await execute(page, 'get', '/cluster');
    expect(cluster.status).toMatch(/^200/);
    expect(cluster.body).toContain('"lifecycle"');
    // A call that changes something needs the CSRF header, which the page adds.
    expect((await execute(page, 'put', '/system/processing/resume')).status).toMatch(/^204/);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('the start page shows that the node is running', async () => {
    const { page, complaints } = await openPage();
    await page.goto(address);
    await page.getByRole('heading', { name: 'This node is running' }).waitFor();
    await page.getByRole('link', { name: 'Open the API browser' }).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
