import { ActionIcon, Tooltip } from '@mantine/core';
import { IconHelp } from '@tabler/icons-react';
import { useLocation } from '@tanstack/react-router';
import { helpOf } from '../lib/help/index.ts';
import classes from './page.module.css';

/** Quietly, to the place of the documentation that explains this page. */
export function HelpLink() {
  const href = useLocation({ select: ({ pathname, search }) => helpOf(pathname, search) });
  return (
    <Tooltip label="Help">
      <ActionIcon
        component="a"
        href={href}
        target="_blank"
        rel="noopener"
        size="sm"
        className={classes.help}
        aria-label="Help for this page"
      >
        <IconHelp size={16} />
      </ActionIcon>
    </Tooltip>
  );
}
