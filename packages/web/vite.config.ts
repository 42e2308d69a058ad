import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react()],
  // The server puts a fresh nonce in the place of this word, into the page and into its policy.
  html: { cspNonce: '__CSP_NONCE__' },
  // The server's content security policy allows no inline code and no data: scripts.
  build: {
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
    // Says which file loads which, so that the benchmark can add up what a page loads.
    manifest: true,
  },
});
