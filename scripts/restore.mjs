/** `npm run restore -- --restore_from <folder>`: brings a backup back into an empty installation. */
import { runServer } from './run-server.mjs';

await runServer('restore', ...process.argv.slice(2));
