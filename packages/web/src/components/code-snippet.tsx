import { ActionIcon, CopyButton, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import classes from './code-snippet.module.css';

/** A command or a piece of code to take along. */
export function CodeSnippet(props: {
  readonly code: string;
  readonly label: string;
  /** Long lines go on below instead of being scrolled. */
  readonly isWrapped?: boolean;
}) {
  const { code, label, isWrapped = false } = props;
  return (
    <div className={classes.frame}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled with the arrow keys */}
      <section className={classes.scroll} aria-label={label} tabIndex={0}>
        <pre className={classes.code} data-wrapped={isWrapped}>
          <code>{code}</code>
        </pre>
      </section>
      <CopyButton value={code}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? 'Copied' : 'Copy'}>
            <ActionIcon
              className={classes.copy}
              size="sm"
              onClick={copy}
              aria-label={copied ? 'Copied' : 'Copy'}
            >
              {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </div>
  );
}
