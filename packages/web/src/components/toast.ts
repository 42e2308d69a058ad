import { notifications } from '@mantine/notifications';

const SHOWN_MS = 4000;

/** Confirms something that left the screen ("Stream deleted"). Errors stand where they happened, never here. */
export function toast(message: string): void {
  notifications.show({ message, autoClose: SHOWN_MS, withBorder: false, color: 'accent' });
}
