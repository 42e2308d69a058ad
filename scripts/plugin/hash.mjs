/** Prints a plugin as plugins_allowed names it. Runs on the pinned Node: it imports TypeScript. */
import { inspect } from '../../packages/server/src/plugins/loading/discover.ts';

try {
  const { name, sha256 } = await inspect(process.argv.at(-1), undefined);
  process.stdout.write(`${name}=sha256:${sha256}\n`);
} catch (error) {
  process.stderr.write(`millrace: ${error.message}\n`);
  process.exitCode = 1;
}
