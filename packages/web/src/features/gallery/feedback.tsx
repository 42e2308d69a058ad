import { Button, Menu } from '@mantine/core';
import { IconGitFork } from '@tabler/icons-react';
import { useState } from 'react';
import { ConfirmInline } from '../../components/confirm-inline.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { ApiError, NetworkError } from '../../lib/api/index.ts';
import type { Exhibit } from './exhibit.ts';
import classes from './gallery.module.css';

const nothing = () => {};

/** Counts how often it is confirmed; it is under way for as long as nobody presses "It failed". */
function AskedInPlace() {
  const [isAsking, setAsking] = useState(false);
  const [sent, setSent] = useState(0);
  const [isBusy, setBusy] = useState(false);
  if (!isAsking) return <Button onClick={() => setAsking(true)}>Remove the index</Button>;
  return (
    <>
      <ConfirmInline
        question="Remove it?"
        action="Remove the index"
        isBusy={isBusy}
        onConfirm={() => {
          setSent((count) => count + 1);
          // As a mutation does: it says a timer later that it is under way.
          setTimeout(() => setBusy(true));
        }}
        onCancel={() => setAsking(false)}
      />
      <p role="status">Sent {sent}</p>
      {isBusy && <Button onClick={() => setBusy(false)}>It failed</Button>}
    </>
  );
}

function AskedFromMenu() {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Menu>
        <Menu.Target>
          <Button>More for it</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setAsking(true)}>Forget</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isAsking && (
        <ConfirmInline
          question="Forget this output?"
          action="Forget"
          typeToConfirm="archive"
          onConfirm={() => setAsking(false)}
          onCancel={() => setAsking(false)}
        />
      )}
    </>
  );
}

export const FEEDBACK: readonly Exhibit[] = [
  {
    name: 'InlineNotice',
    states: [
      { title: 'Info', content: <InlineNotice kind="info">Applies to new messages.</InlineNotice> },
      { title: 'Good', content: <InlineNotice kind="ok">Arrived after 38 ms.</InlineNotice> },
      {
        title: 'Partial',
        content: (
          <InlineNotice kind="warn" title="2 of 3 nodes answered" actions={<Button>Try again</Button>}>
            Node 77c0 does not since 10:14.
          </InlineNotice>
        ),
      },
      { title: 'Error', content: <ErrorNotice error={new Error('The port is in use.')} onRetry={nothing} /> },
      {
        title: 'Forbidden',
        content: (
          <ErrorNotice
            error={new ApiError('Not authorized to access 5c3b.', { status: 403 })}
            onRetry={nothing}
          />
        ),
      },
      { title: 'No answer', content: <ErrorNotice error={new NetworkError()} onRetry={nothing} /> },
      {
        title: 'A part that could not be loaded',
        content: (
          <ErrorNotice
            error={new TypeError('Failed to fetch dynamically imported module: /assets/part.js')}
            onRetry={nothing}
          />
        ),
      },
    ],
  },
  {
    name: 'EmptyState',
    states: [
      {
        title: 'With the next step',
        content: (
          <EmptyState
            icon={<IconGitFork size={20} />}
            title="There is no stream yet"
            action={<Button variant="filled">New stream</Button>}
          >
            Rules put messages into streams while they arrive.
          </EmptyState>
        ),
      },
    ],
  },
  {
    name: 'ConfirmInline',
    states: [
      {
        title: 'A question',
        content: (
          <ConfirmInline
            question="Delete the stream Web errors?"
            action="Delete"
            onConfirm={nothing}
            onCancel={nothing}
            hasFocus={false}
          />
        ),
      },
      {
        title: 'Where messages are lost',
        content: (
          <ConfirmInline
            question="Delete millrace_40 and its 3 012 443 messages?"
            action="Delete"
            typeToConfirm="millrace_40"
            hasFocus={false}
            onConfirm={nothing}
            onCancel={nothing}
          />
        ),
      },
      {
        title: 'Busy',
        content: (
          <ConfirmInline
            question="Delete it?"
            action="Delete"
            isBusy
            hasFocus={false}
            onConfirm={nothing}
            onCancel={nothing}
          />
        ),
      },
      { title: 'In place of a button', content: <AskedInPlace /> },
      { title: 'Asked from a menu', content: <AskedFromMenu /> },
    ],
  },
  {
    name: 'StateBadge',
    states: [
      {
        title: 'Tones',
        content: (
          <div className={classes.row}>
            <StateBadge tone="ok">running</StateBadge>
            <StateBadge tone="dim">paused</StateBadge>
            <StateBadge tone="warn">starting</StateBadge>
            <StateBadge tone="danger">failed</StateBadge>
            <StateBadge tone="info">new</StateBadge>
          </div>
        ),
      },
    ],
  },
];
