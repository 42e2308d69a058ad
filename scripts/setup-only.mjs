/** `npm run setup`: gets a checkout ready to run and ends, for packages and images that start the node themselves. */
import { setUp } from './setup.mjs';

await setUp();
