import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { StatusPage } from './app/status-page.tsx';
import './app/page.css';

const container = document.getElementById('root');
if (container) {
  createRoot(container).render(
    <StrictMode>
      <StatusPage />
    </StrictMode>,
  );
}
