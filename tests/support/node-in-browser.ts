import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import { openBrowser } from './browser.ts';
import { callApi, KNOWN_PASSWORD } from './node-api.ts';
import { type NodeProcess, startNode } from './node-process.ts';
import { openWatchedPage, type WatchedPage } from './web-page.ts';

/** A node and a browser for the tests of a file. What it has is there once the tests run. */
export interface NodeInBrowser {
  readonly node: NodeProcess;
  readonly browser: Browser;
  readonly address: string;
  /** Where GELF HTTP is listened to. */
  readonly gelf: string;
  /** A page of somebody who is logged in: the root user unless another one is named. */
  open(path: string, options?: BrowserContextOptions, user?: string, password?: string): Promise<WatchedPage>;
  /** Sends messages by GELF HTTP, all of them at once. */
  send(...messages: object[]): Promise<void>;
  /** Until so many messages are stored in all. */
  stored(count: number): Promise<void>;
}

export interface NodeInBrowserOptions {
  readonly settings?: Record<string, string>;
  /** What the tests expect to find. */
  readonly seed?: (site: NodeInBrowser) => Promise<void>;
}

/**
 * Starts a node and a browser before the tests and ends them afterwards. A test that is run a second time gets a new node:
 * in the old one its first run has left streams, users and messages.
 */
export function nodeInBrowser({ settings = {}, seed }: NodeInBrowserOptions = {}): NodeInBrowser {
  let node: NodeProcess | undefined;
  let browser: Browser | undefined;
  let address = '';
  let gelf = '';

  const site: NodeInBrowser = {
    get node() {
      return started(node);
    },
    get browser() {
      return started(browser);
    },
    get address() {
      return address;
    },
    get gelf() {
      return gelf;
    },
    async open(path, options = {}, user = 'admin', password = 'river') {
      const opened = await openWatchedPage(site.browser, address, { reducedMotion: 'reduce', ...options });
      await logIn(opened, address, user, password);
      await opened.page.goto(path);
      await opened.page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
      return opened;
    },
    async send(...messages) {
      const body = messages.map((message) => JSON.stringify({ version: '1.1', host: 'web-1', ...message }));
      expect((await fetch(gelf, { method: 'POST', body: body.join('\n') })).status).toBe(202);
    },
    async stored(count) {
      await eventually(
        async () => expect((await callApi(address, 'GET', '/count/total')).body.events).toBe(count),
        // The node asks its ClickHouse each time, which has these very messages to store.
        { timeoutMs: 120_000, intervalMs: 100 },
      );
    },
  };

  async function start() {
    node = startNode(settings, { env: KNOWN_PASSWORD });
    const starting = node.ready().then((ready) => {
      address = ready;
    });
    const opening = openBrowser().then((opened) => {
      browser = opened;
    });
    // Whichever fails: the other one is known by then, so that it is stopped.
    await Promise.allSettled([starting, opening]);
    await Promise.all([starting, opening]);
    gelf = (await node.printed(/GELF HTTP +(http\S+)/))[1] ?? '';
    await seed?.(site);
  }
  async function stop() {
    await browser?.close();
    node?.kill();
    await node?.exited();
  }

  beforeAll(start);
  beforeEach(async ({ task }) => {
    if ((task.result?.retryCount ?? 0) === 0) return;
    await stop();
    await start();
  });
  // A test that failed leaves its page: what that asks for must not slow down the others.
  afterEach(() => Promise.all(browser?.contexts().map((context) => context.close()) ?? []));
  afterAll(stop);
  return site;
}

function started<T>(thing: T | undefined): T {
  if (thing === undefined) throw new Error('the node is not started yet: ask for it inside of a test');
  return thing;
}

/** The form is tested by itself; going through it in every test takes longer than most tests. */
async function logIn({ page }: WatchedPage, address: string, user: string, password: string): Promise<void> {
  const answer = await page.request.post(`${address}/api/system/sessions`, {
    headers: { 'x-requested-by': 'test' },
    data: { username: user, password, host: '' },
  });
  expect(answer.status(), await answer.text()).toBe(200);
}
