import type { Ref } from 'react';
import type { RuleWords, SourceProblem } from '../lib/rule-language/index.ts';

export interface RuleBoxHandle {
  /** Takes the focus, with the cursor at this place. */
  goTo(position: number): void;
}

export interface RuleBoxProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly problems: readonly SourceProblem[];
  readonly words: RuleWords;
  readonly isReadOnly?: boolean;
  readonly describedBy: string;
  readonly ref?: Ref<RuleBoxHandle>;
}
