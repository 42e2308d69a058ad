import { Tabs } from '@mantine/core';
import type { Example } from '../lib/inputs/index.ts';
import { CodeSnippet } from './code-snippet.tsx';
import classes from './example-tabs.module.css';

export interface ExampleTabsProps {
  readonly examples: readonly Example[];
  /** What they are for, for people who do not see them. */
  readonly label: string;
}

/** The same in several languages, one at a time. */
export function ExampleTabs({ examples, label }: ExampleTabsProps) {
  return (
    <Tabs defaultValue={examples[0]?.label ?? ''} keepMounted={false}>
      <Tabs.List>
        {examples.map((example) => (
          <Tabs.Tab key={example.label} value={example.label}>
            {example.label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {examples.map((example) => (
        <Tabs.Panel key={example.label} value={example.label} className={classes.example}>
          <CodeSnippet label={label} code={example.code} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
