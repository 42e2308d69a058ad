/** `npm run backup [-- --key value …]`: a backup of metadata and messages, also while a node runs. */
import { runServer } from './run-server.mjs';

await runServer('backup', ...process.argv.slice(2));
