import path from 'node:path';
import { become } from './run-child.mjs';
import { SERVER_ENVIRONMENT, SERVER_FLAGS } from './server-environment.mjs';
import { pinnedNode, root, setUp } from './setup.mjs';

/** Sets up what is missing, then runs the server program with these arguments. */
export async function runServer(...args) {
  await setUp();
  const program = path.join(root, 'packages', 'server', 'src', 'main.ts');
  become(pinnedNode, [...SERVER_FLAGS, program, ...args], {
    env: {
      ...SERVER_ENVIRONMENT,
      ...process.env,
      // Compiled code is kept between starts: loading the server takes a third of the time.
      NODE_COMPILE_CACHE: path.join(root, 'node_modules', '.cache', 'compiled'),
    },
  });
}
