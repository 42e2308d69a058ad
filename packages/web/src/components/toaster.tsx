import { Notifications } from '@mantine/notifications';
import '@mantine/notifications/styles.layer.css';

/** Where toasts appear. */
export function Toaster() {
  return <Notifications position="bottom-center" limit={3} />;
}
