/** `npm start [-- --key value …]`: sets up what is missing, then runs a node. */
import { runServer } from './run-server.mjs';

await runServer(...process.argv.slice(2));
