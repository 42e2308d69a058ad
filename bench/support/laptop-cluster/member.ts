import fs from 'node:fs';
import path from 'node:path';
import { callApi } from '../../../tests/support/node-api.ts';
import { type NodeProcess, startNode } from '../../../tests/support/node-process.ts';

/** A node of the cluster. Its address and its data stay the same when it is killed and started again. */
export interface Member {
  readonly name: string;
  readonly address: string;
  readonly nodeId: string;
  /** Of GELF over HTTP; another one after every start. */
  readonly gelfPort: number;
  readonly isRunning: boolean;
  /** Resolves when it is ready. */
  start(): Promise<void>;
  /** With SIGKILL. */
  kill(): Promise<void>;
  /** With SIGSTOP: it stands still, and its connections stay. */
  freeze(): void;
  thaw(): void;
  /** As an operator does. */
  stop(): Promise<void>;
}

export interface MemberSettings {
  readonly folder: string;
  /** Of the web interface and the API. */
  readonly port: number;
  readonly settings: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string>>;
}

/** Not started yet. */
export function createMember(name: string, { folder, port, settings, environment }: MemberSettings): Member {
  fs.mkdirSync(folder, { recursive: true });
  const address = `http://127.0.0.1:${port}`;
  let node: NodeProcess | undefined;
  let isReady = false;
  let gelfPort = 0;
  let nodeId = '';

  async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    isReady = false;
    const ending = node;
    node = undefined;
    ending?.kill(signal);
    await ending?.exited();
  }

  async function start(): Promise<void> {
    if (isReady) return;
    const started = startNode(
      { ...settings, http_bind_address: `127.0.0.1:${port}` },
      { dataDir: path.join(folder, 'data'), env: { ...environment } },
    );
    node = started;
    await started.ready();
    gelfPort = await started.inputPort('GELF HTTP');
    nodeId = (await callApi(address, 'GET', '/system/cluster/node')).body.node_id;
    isReady = true;
    // One that ends by itself is not running either.
    void started.exited().then(() => {
      if (node === started) isReady = false;
    });
  }

  return {
    name,
    address,
    get nodeId() {
      return nodeId;
    },
    get gelfPort() {
      return gelfPort;
    },
    get isRunning() {
      return isReady;
    },
    start,
    kill: () => end('SIGKILL'),
    freeze: () => node?.kill('SIGSTOP'),
    thaw: () => node?.kill('SIGCONT'),
    stop: () => end('SIGTERM'),
  };
}
