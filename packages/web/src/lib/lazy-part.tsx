import { type ComponentType, useEffect, useReducer, useState, useSyncExternalStore } from 'react';

/**
 * Parts of the interface that a page does not need for its first paint. Each is a file of its own, loaded when the
 * browser has nothing else to do, or when it is first shown. `React.lazy` would show a part that is loaded already one
 * turn later, and behind a fallback up to 300 ms later; a key has to show its effect within 50 ms.
 */
export interface LazyOptions<Props> {
  /** Stands in its place while it is loaded. */
  readonly Meanwhile?: ComponentType<Props>;
  /** What stands there meanwhile does the work as well: it stays when the part cannot be loaded. */
  readonly isOptional?: boolean;
  /** Not in advance: it is large, and few people look at it. */
  readonly isRare?: boolean;
}

/** `lazyPart(async () => (await import('./palette.tsx')).Palette)`. When it cannot be loaded, the part throws. */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { Meanwhile, isOptional = false, isRare = false }: LazyOptions<Props> = {},
): ComponentType<Props> {
  let Loaded: ComponentType<Props> | undefined;
  let loading: Promise<void> | undefined;
  const begin = () => {
    loading ??= load().then(
      (part) => {
        Loaded = part;
      },
      (error: unknown) => {
        // Asked again when it is shown again: the network may be back by then.
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };
  if (!isRare) loadWhenIdle(begin);

  // biome-ignore lint/correctness/noComponentHookFactories: a part is made once, when its module is loaded
  return function LazyPart(props: Props) {
    const [, draw] = useReducer((times: number) => times + 1, 0);
    const [failure, setFailure] = useState<{ readonly error: unknown }>();
    useEffect(() => {
      if (Loaded === undefined) begin().then(draw, (error: unknown) => setFailure({ error }));
    }, []);
    if (Loaded !== undefined) return <Loaded {...props} />;
    if (failure !== undefined && !isOptional) throw failure.error;
    return Meanwhile === undefined ? null : <Meanwhile {...props} />;
  };
}

export interface RequestedPart {
  /** Where it stands once it was asked for. */
  readonly Part: ComponentType;
  /** From anywhere: a key, a menu, another part. False if it is nowhere on the page, as after it could not be loaded. */
  readonly request: () => boolean;
}

/** A part that somebody opens. It gets the number of the request, and opens itself whenever that changes. */
export function requestedPart(
  load: () => Promise<ComponentType<{ readonly request: number }>>,
): RequestedPart {
  const Loaded = lazyPart(load);
  const listeners = new Set<() => void>();
  let requests = 0;
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    request() {
      requests += 1;
      for (const listener of listeners) listener();
      return listeners.size > 0;
    },
    Part() {
      const request = useSyncExternalStore(subscribe, () => requests);
      // What was open when the shell went away does not open again with the next one.
      const [seen] = useState(request);
      return request === seen ? null : <Loaded request={request} />;
    },
  };
}

const waiting: (() => Promise<void>)[] = [];
let isScheduled = false;

function loadWhenIdle(load: () => Promise<void>): void {
  waiting.push(load);
  schedule();
}

/** One after the other, so that what somebody asks for meanwhile does not stand in a queue behind all of them. */
function schedule(): void {
  // Neither Node.js nor older Safari has it: there, parts are loaded when they are shown.
  if (isScheduled || globalThis.requestIdleCallback === undefined) return;
  isScheduled = true;
  globalThis.requestIdleCallback(async () => {
    await waiting
      .shift()?.()
      .catch(() => undefined);
    isScheduled = false;
    if (waiting.length > 0) schedule();
  });
}
