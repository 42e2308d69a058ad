import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useState } from 'react';
import { Toasts } from '../components/toast.ts';
import { cspNonce } from '../lib/csp-nonce.ts';
import { KeyMapProvider } from '../lib/keys/index.ts';
import { createQueryClient } from './query-client.ts';
import { createAppRouter } from './router.tsx';
import { theme } from './theme/theme.ts';

/** The key is also in `public/theme.js`. */
const colorSchemeManager = localStorageColorSchemeManager({ key: 'millrace-theme' });

export function App() {
  const [queryClient] = useState(createQueryClient);
  const [router] = useState(() => createAppRouter(queryClient));
  return (
    <MantineProvider
      theme={theme}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
      getStyleNonce={cspNonce}
    >
      <QueryClientProvider client={queryClient}>
        <KeyMapProvider>
          <RouterProvider router={router} />
          <Toasts />
        </KeyMapProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
}
