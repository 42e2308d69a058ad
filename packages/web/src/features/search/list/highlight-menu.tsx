import { ActionIcon, Button, Popover, Switch, TextInput, Tooltip } from '@mantine/core';
import { parseQuery } from '@millrace/query';
import { IconHighlight, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { usePreferences } from '../../../lib/account/index.ts';
import { HIGHLIGHT_COLOURS, type HighlightRule, MAX_HIGHLIGHTS } from '../result-params.ts';
import type { SearchState } from '../use-search.ts';
import classes from './highlights.module.css';

const COLOUR_NAMES = ['Yellow', 'Green', 'Blue', 'Pink', 'Orange', 'Teal', 'Violet', 'Grey'];

/** The rules of the link and those that are always there, in this order. */
export function useHighlightRules({ values }: SearchState): readonly HighlightRule[] {
  const [{ highlights }] = usePreferences();
  return [...highlights, ...values.hl];
}

/** Rules that colour messages without filtering them. */
export function HighlightMenu({ search }: { readonly search: SearchState }) {
  'use memo';
  const { values, change } = search;
  const [{ highlights }, changePreferences] = usePreferences();
  const count = highlights.length + values.hl.length;
  return (
    <Popover position="bottom-end" width={440} trapFocus returnFocus>
      <Popover.Target>
        <Tooltip label="Highlight messages">
          <Button size="xs" className={classes.button} aria-label="Highlight">
            <IconHighlight size={16} aria-hidden="true" />
            {count > 0 && <span className={classes.count}>{count}</span>}
          </Button>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown className={classes.menu} aria-label="Highlight">
        <p className={classes.about}>Colours messages that a query finds. Nothing is filtered out.</p>
        <Rules
          rules={values.hl}
          onChange={(hl) => change({ hl })}
          onKeep={(rule) => {
            changePreferences({ highlights: [...highlights, rule] });
            change({ hl: values.hl.filter((other) => other !== rule) });
          }}
        />
        <Rules
          rules={highlights}
          onChange={(next) => changePreferences({ highlights: next })}
          onLet={(rule) => {
            changePreferences({ highlights: highlights.filter((other) => other !== rule) });
            change({ hl: [...values.hl, rule] });
          }}
        />
        <NewRule
          colour={(count % HIGHLIGHT_COLOURS) + 1}
          isFull={count >= MAX_HIGHLIGHTS}
          onAdd={(rule) => change({ hl: [...values.hl, rule] })}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

interface RulesProps {
  readonly rules: readonly HighlightRule[];
  readonly onChange: (rules: readonly HighlightRule[]) => void;
  /** Makes a rule of the link one that is always there. */
  readonly onKeep?: (rule: HighlightRule) => void;
  /** The other way round. */
  readonly onLet?: (rule: HighlightRule) => void;
}

function Rules({ rules, onChange, onKeep, onLet }: RulesProps) {
  return rules.map((rule, at) => (
    <div key={`${rule.colour} ${rule.query}`} className={classes.rule}>
      <ColourButton
        colour={rule.colour}
        onClick={() => onChange(rules.with(at, { ...rule, colour: (rule.colour % HIGHLIGHT_COLOURS) + 1 }))}
      />
      <code className={classes.query} title={rule.query}>
        {rule.query}
      </code>
      <Switch
        size="xs"
        label="Always"
        checked={onLet !== undefined}
        onChange={() => (onLet ?? onKeep)?.(rule)}
      />
      <ActionIcon
        size={24}
        aria-label={`Remove the highlight ${rule.query}`}
        onClick={() => onChange(rules.toSpliced(at, 1))}
      >
        <IconTrash size={14} />
      </ActionIcon>
    </div>
  ));
}

interface ColourButtonProps {
  readonly colour: number;
  readonly onClick: () => void;
}

function ColourButton({ colour, onClick }: ColourButtonProps) {
  const name = COLOUR_NAMES[colour - 1] ?? '';
  return (
    <button
      type="button"
      className={classes.colour}
      data-highlight={colour}
      aria-label={`Colour: ${name}. Press for the next one.`}
      title={`${name}: click for the next colour`}
      onClick={onClick}
    />
  );
}

interface NewRuleProps {
  readonly colour: number;
  readonly isFull: boolean;
  readonly onAdd: (rule: HighlightRule) => void;
}

function NewRule({ colour: first, isFull, onAdd }: NewRuleProps) {
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState<number>();
  const colour = chosen ?? first;
  const problem =
    query.trim() === '' ? undefined : parseQuery(query).problems.find(({ severity }) => severity === 'error');
  return (
    <form
      className={classes.rule}
      onSubmit={(event) => {
        event.preventDefault();
        if (query.trim() === '' || problem !== undefined || isFull) return;
        onAdd({ colour, query: query.trim() });
        setQuery('');
        setChosen(undefined);
      }}
    >
      <ColourButton colour={colour} onClick={() => setChosen((colour % HIGHLIGHT_COLOURS) + 1)} />
      <TextInput
        className={classes.input}
        size="xs"
        aria-label="Query of the new highlight"
        placeholder={isFull ? `${MAX_HIGHLIGHTS} are the most` : 'level:<=3, or any query'}
        disabled={isFull}
        value={query}
        error={problem?.message}
        data-autofocus
        onChange={(event) => setQuery(event.currentTarget.value)}
      />
      <Button type="submit" size="xs" leftSection={<IconPlus size={14} />} disabled={query.trim() === ''}>
        Add
      </Button>
    </form>
  );
}
