import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser, whyNoBrowser } from '../support/browser.ts';
import { type NodeProcess, startNode } from '../support/node-process.ts';
import { openWatchedPage } from '../support/web-page.ts';

const noBrowser = whyNoBrowser();

/** The part of Swagger UI's own model that says what it lists. */
interface SwaggerUi {
  readonly specSelectors: {
    taggedOperations(): {
      reduce(
        add: (sum: number, tag: { get(name: 'operations'): { size: number } }) => number,
        start: number,
      ): number;
    };
  };
}

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
    const httpCredentials = { username: 'admin', password };
    const { page, complaints } = await openWatchedPage(browser, address, { httpCredentials });
    await page.goto('/api/api-browser/');
    await page.locator('.opblock-tag-section').first().waitFor();

    const documented = (await page.evaluate(async () => (await fetch('../openapi.json')).json())) as {
      paths: Record<string, Record<string, { tags?: string[] }>>;
    };
    const operations = Object.values(documented.paths).flatMap((methods) =>
      Object.values(methods).filter((operation) => operation.tags !== undefined),
    );
    const groups = new Set(operations.flatMap((operation) => operation.tags ?? []));
    const shown = await page
      .locator('.opblock-tag')
      .evaluateAll((headings) => headings.map((heading) => heading.getAttribute('data-tag')));
    expect(shown.toSorted()).toEqual([...groups].toSorted());
    const listed = await page.evaluate(() => {
      const { ui } = globalThis as unknown as { ui: SwaggerUi };
      return ui.specSelectors.taggedOperations().reduce((sum, tag) => sum + tag.get('operations').size, 0);
    });
    expect(listed).toBe(operations.length);

    await page.locator('.opblock-tag[data-tag="Cluster"]').click();
    await page.locator('.opblock-tag[data-tag="System/Processing"]').click();
    const cluster = await execute(page, 'get', '/cluster');
    expect(cluster.status).toMatch(/^200/);
    expect(cluster.body).toContain('"lifecycle"');
    // The schemas of its answers are shown with their names, not as references.
    const schema = page.locator('.opblock.is-open .responses-inner').first();
    await schema.getByRole('tab', { name: 'Schema' }).first().click();
    await schema.getByText('ClusterOverview', { exact: true }).waitFor();
    expect(await schema.textContent()).not.toContain('$ref');
    // A call that changes something needs the CSRF header, which the page adds.
    expect((await execute(page, 'put', '/system/processing/resume')).status).toMatch(/^204/);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
