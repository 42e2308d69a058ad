import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '@mantine/core/styles.layer.css';
import './app/theme/tokens.css';
import './app/theme/base.css';
import './app/theme/mantine.css';
import { App } from './app/app.tsx';
import { shareNonce } from './lib/csp-nonce.ts';

const container = document.getElementById('root');
if (container) {
  shareNonce();
  createRoot(container).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
