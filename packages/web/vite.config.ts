import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react()],
  // The server's content security policy allows no inline code and no data: scripts.
  build: { assetsInlineLimit: 0, modulePreload: { polyfill: false } },
});
