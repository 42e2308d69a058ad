import { testPlugin } from '@millrace/plugin-api/testing';
import plugin from './index.js';

testPlugin(plugin);
