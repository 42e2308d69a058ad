import fs from 'node:fs';
import { ENGINE_USER, engineDirectory, enginePassword, LOOPBACK } from './configuration.ts';
import type { EngineEndpoint } from './engine-child.ts';
import { instanceArgument, readEngineRecord, systemProcesses } from './previous-engine.ts';

/** The engine that a node runs on this data directory now. Undefined if there is none. */
export function findRunningEngine(dataDir: string): EngineEndpoint | undefined {
  const directory = engineDirectory(dataDir);
  const record = readEngineRecord(directory.pid);
  if (record === undefined) return undefined;
  const running = systemProcesses.find(record.pid);
  // One whose node is gone ends within moments.
  if (running?.parentPid !== record.parentPid) return undefined;
  if (!running.commandLine.includes(instanceArgument(record.instance))) return undefined;
  const [, port] = /<http_port>(\d+)</.exec(fs.readFileSync(directory.configuration, 'utf8')) ?? [];
  if (port === undefined) return undefined;
  return {
    url: `http://${LOOPBACK}:${port}`,
    username: ENGINE_USER,
    password: enginePassword(directory.password),
    instance: record.instance,
  };
}
