import { useRouter } from '@tanstack/react-router';
import { texts } from '../texts.ts';
import type { SearchState } from '../use-search.ts';

/** Where a message takes the whole screen, opening one is a step: Back closes it. The function opens this one instead. */
export function useMessageSteps({ values, change }: SearchState): (msg: string) => void {
  const router = useRouter();
  return (msg) => {
    const step = messageStep(values.msg, msg, router.latestLocation.state.isView ?? false);
    if (step === 'back') router.history.back();
    else change({ msg, around: undefined }, step === 'push' ? texts.openMessage : undefined);
  };
}

/** How the history changes. A message that a link opened has no entry before it to go back to. */
export function messageStep(open: string, next: string, isView: boolean): 'push' | 'replace' | 'back' {
  if (open === '' && next !== '') return 'push';
  return next === '' && open !== '' && isView ? 'back' : 'replace';
}
