import { MessageChooser, type MessageChooserProps } from '../../components/message-chooser.tsx';
import type { RulesDraft } from './rule-draft.ts';
import { ruleTexts } from './texts.ts';
import { TryResult } from './try-result.tsx';

export interface TryOneProps extends Pick<MessageChooserProps, 'chosen' | 'onChoose'> {
  readonly draft: RulesDraft;
}

/** Tries the rules on one message and says for each rule why. */
export function TryOne({ draft, chosen, onChoose }: TryOneProps) {
  return (
    <MessageChooser label={ruleTexts.tryOne} chosen={chosen} onChoose={onChoose}>
      {(message) => <TryResult draft={draft} message={message} />}
    </MessageChooser>
  );
}
