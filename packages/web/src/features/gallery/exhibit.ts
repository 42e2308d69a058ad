import type { ReactNode } from 'react';

/** A component and the states it can be in. */
export interface Exhibit {
  readonly name: string;
  /** One state below the other. */
  readonly isWide?: boolean;
  readonly states: readonly { readonly title: string; readonly content: ReactNode }[];
}
