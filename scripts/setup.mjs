/**
 * Gets a checkout ready to run: dependencies, pinned runtime, engine, web pages, and for tests the Debian
 * packages they need. Runs on Node 18 and newer, since it is what installs our own Node. Every step looks
 * first and does nothing when there is nothing to do, so calling it at every start costs milliseconds.
 */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureDependencies } from './setup/dependencies.mjs';
import { ensureEngine } from './setup/engine.mjs';
import { ensureSystemPackages } from './setup/system-packages.mjs';
import { ensureWeb } from './setup/web.mjs';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** The pinned Node.js: scripts run on it whatever Node started npm. */
export const pinnedNode = path.join(root, 'node_modules', '.bin', 'node');

export function say(text) {
  process.stderr.write(`millrace: ${text}\n`);
}

/** @param {{ forTests?: boolean, withWeb?: boolean, withEngine?: boolean }} options */
export async function setUp({ forTests = false, withWeb = true, withEngine = true } = {}) {
  try {
    await ensureDependencies({ root, pinnedNode, say });
    if (withEngine) await ensureEngine({ root, say });
    if (withWeb) await ensureWeb({ root, pinnedNode, say });
    if (forTests) await ensureSystemPackages({ say, required: process.env.CI === 'true' });
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    process.exit(1);
  }
}
