import { type ReactNode, useState } from 'react';
import { DEFAULT_RANGE, RANGES, type RangeChoice } from '../../components/sample-picker.tsx';
import type { LogMessage } from '../../lib/messages/index.ts';
import { PreviewPanel } from './preview-panel.tsx';
import type { RulesDraft } from './rule-draft.ts';
import { RuleEditor } from './rule-editor.tsx';
import classes from './rules.module.css';
import { TryOne } from './try-one.tsx';
import { type Preview, type PreviewRange, usePreview } from './use-preview.ts';

const DEFAULT_SAMPLE = 10_000;

export interface WorkbenchProps {
  readonly draft: RulesDraft;
  readonly onChange: (draft: RulesDraft) => void;
  readonly isReadOnly?: boolean;
  /** Problems that the server found when it was saved, by the key of the rule. */
  readonly problems?: ReadonlyMap<string, string>;
  /** A time of its own, chosen at first: that of the search. */
  readonly ownRange?: RangeChoice | undefined;
  readonly compare?: (preview: Preview, range: PreviewRange) => ReactNode;
  /** Below the rules: what saves them. */
  readonly children?: ReactNode;
}

/** Rules at one side, what they do at the other. */
export function RulesWorkbench(props: WorkbenchProps) {
  const { draft, onChange, isReadOnly = false, problems, ownRange, compare, children } = props;
  const ranges = ownRange === undefined ? RANGES : [ownRange, ...RANGES];
  const [range, setRange] = useState(ownRange?.value ?? DEFAULT_RANGE.value);
  const [sample, setSample] = useState(DEFAULT_SAMPLE);
  const [chosen, setChosen] = useState<LogMessage>();
  const { timerange } = ranges.find(({ value }) => value === range) ?? DEFAULT_RANGE;
  const preview = usePreview(draft, { timerange, sample });
  return (
    <>
      <RuleEditor
        draft={draft}
        onChange={onChange}
        matched={preview.matched}
        lookedAt={preview.result?.looked_at ?? 0}
        problems={new Map([...(problems ?? []), ...preview.problems])}
        isReadOnly={isReadOnly}
      />
      {children}
      <div className={classes.trials}>
        <PreviewPanel
          preview={preview}
          sample={sample}
          onSample={setSample}
          ranges={ranges}
          range={range}
          onRange={setRange}
          onTry={setChosen}
          comparison={compare?.(preview, { timerange, sample })}
        />
        <TryOne draft={draft} chosen={chosen} onChoose={setChosen} />
      </div>
    </>
  );
}
