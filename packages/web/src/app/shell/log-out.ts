import { useMutation } from '@tanstack/react-query';
import { call } from '../../lib/api/index.ts';

/** Ends the session and leaves the page for good: nothing this user saw stays in memory. */
export function useLogOut(): () => void {
  const { mutate } = useMutation({
    mutationFn: () => call('DELETE /system/sessions', { isLoginCheck: true }),
    networkMode: 'always',
    onSettled: () => window.location.assign('/login'),
  });
  return () => mutate();
}
