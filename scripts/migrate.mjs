/** `npm run migrate -- --migrate_from <data_dir>`: moves a single node to the databases of a cluster. */
import { runServer } from './run-server.mjs';

await runServer('migrate', ...process.argv.slice(2));
