import { requestedPart } from '../lib/lazy-part.tsx';

const SHOWN_MS = 4000;

const { Part, request } = requestedPart(async () => (await import('./toaster.tsx')).Toaster);

/** The place of toasts, once there is one. */
export { Part as Toasts };

/** Confirms something that left the screen ("Stream deleted"). Errors stand where they happened, never here. */
export function toast(message: string): void {
  request();
  void import('@mantine/notifications').then(({ notifications }) =>
    notifications.show({
      message,
      autoClose: SHOWN_MS,
      withBorder: false,
      color: 'accent',
      closeButtonProps: { 'aria-label': 'Close' },
    }),
  );
}
