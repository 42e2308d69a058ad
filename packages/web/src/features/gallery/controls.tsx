import { ActionIcon, Button, Menu, PasswordInput, Select, Switch, TextInput, Tooltip } from '@mantine/core';
import { IconDots, IconPlus } from '@tabler/icons-react';
import { Disabled, missingPermission } from '../../components/disabled.tsx';
import { KeyHint } from '../../components/key-hint.tsx';
import { toast } from '../../components/toast.ts';
import type { Exhibit } from './exhibit.ts';
import classes from './gallery.module.css';

const nothing = () => {};

export const CONTROLS: readonly Exhibit[] = [
  {
    name: 'Button',
    states: [
      {
        title: 'Kinds',
        content: (
          <div className={classes.row}>
            <Button variant="filled">Main</Button>
            <Button>Default</Button>
            <Button variant="subtle">Subtle</Button>
            <Button variant="filled" color="danger">
              Delete
            </Button>
            <Button leftSection={<IconPlus size={16} />}>With icon</Button>
          </div>
        ),
      },
      {
        title: 'Busy and disabled',
        content: (
          <div className={classes.row}>
            <Button variant="filled" loading>
              Saving
            </Button>
            <Button disabled>Disabled</Button>
            <Disabled reason={missingPermission('streams:edit', 'this stream')}>
              <Button onClick={nothing}>With a reason</Button>
            </Disabled>
          </div>
        ),
      },
      {
        title: 'Icon, menu, tooltip, toast',
        content: (
          <div className={classes.row}>
            <Tooltip label="Add">
              <ActionIcon aria-label="Add">
                <IconPlus size={16} />
              </ActionIcon>
            </Tooltip>
            <Menu>
              <Menu.Target>
                <ActionIcon aria-label="More">
                  <IconDots size={16} />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Label>Stream</Menu.Label>
                <Menu.Item rightSection={<KeyHint keys="e" />}>Edit</Menu.Item>
                <Menu.Item color="danger">Delete</Menu.Item>
              </Menu.Dropdown>
            </Menu>
            <Button onClick={() => toast('Stream deleted')}>Show a toast</Button>
          </div>
        ),
      },
    ],
  },
  {
    name: 'Inputs',
    states: [
      {
        title: 'Text',
        content: <TextInput label="Title" description="What people see." defaultValue="Web errors" />,
      },
      { title: 'Wrong', content: <TextInput label="Port" defaultValue="70000" error="At most 65 535." /> },
      { title: 'Disabled', content: <TextInput label="Node" value="a1f3" disabled readOnly /> },
      { title: 'Password', content: <PasswordInput label="Password" defaultValue="secret" /> },
      {
        title: 'Select',
        content: <Select label="Type" data={['GELF TCP', 'GELF UDP']} defaultValue="GELF TCP" />,
      },
      {
        title: 'Switch',
        content: <Switch label="TLS" description="Encrypted connections only." defaultChecked />,
      },
    ],
  },
  {
    name: 'KeyHint',
    states: [
      { title: 'One key', content: <KeyHint keys="/" /> },
      { title: 'Together', content: <KeyHint keys="mod+k" /> },
      { title: 'One after the other', content: <KeyHint keys="g s" /> },
      { title: 'Names', content: <KeyHint keys="Escape" /> },
    ],
  },
];
