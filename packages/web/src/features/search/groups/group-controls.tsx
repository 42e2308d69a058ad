import { ActionIcon, Button, MultiSelect, Popover, Select } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { fieldsQuery } from '../queries.ts';
import { MAX_GROUP_FIELDS } from '../result-params.ts';
import classes from './groups.module.css';
import { MAX_METRICS, METRIC_KINDS, metricTitle, parseMetric } from './metrics.ts';

const SHOWN_OPTIONS = 100;

interface GroupFieldsProps {
  readonly fields: readonly string[];
  readonly onChange: (fields: readonly string[]) => void;
}

export function GroupFields({ fields, onChange }: GroupFieldsProps) {
  const { data: known } = useQuery(fieldsQuery);
  const names = useMemo(
    () => [...new Set(['source', 'level', ...fields, ...(known ?? []).map(({ name }) => name)])],
    [known, fields],
  );
  return (
    <MultiSelect
      className={classes.fields}
      size="xs"
      aria-label="Group by"
      placeholder={fields.length === 0 ? 'Group by a field' : undefined}
      data={names}
      value={[...fields]}
      maxValues={MAX_GROUP_FIELDS}
      searchable
      hidePickedOptions
      limit={SHOWN_OPTIONS}
      onChange={onChange}
    />
  );
}

interface GroupMetricsProps {
  readonly metrics: readonly string[];
  readonly onChange: (metrics: readonly string[]) => void;
}

export function GroupMetrics({ metrics, onChange }: GroupMetricsProps) {
  return (
    <div className={classes.metrics}>
      {metrics.map((text) => {
        const title = metricTitle(parseMetric(text));
        return (
          <span key={text} className={classes.metric}>
            {title}
            {metrics.length > 1 && (
              <ActionIcon
                size={24}
                aria-label={`Remove ${title}`}
                onClick={() => onChange(metrics.filter((other) => other !== text))}
              >
                <IconX size={12} />
              </ActionIcon>
            )}
          </span>
        );
      })}
      {metrics.length < MAX_METRICS && (
        <NewMetric onAdd={(text) => !metrics.includes(text) && onChange([...metrics, text])} />
      )}
    </div>
  );
}

function NewMetric({ onAdd }: { readonly onAdd: (text: string) => void }) {
  const [isOpen, setOpen] = useState(false);
  const [kind, setKind] = useState<string>('avg');
  const [field, setField] = useState<string | null>(null);
  const { data: known } = useQuery(fieldsQuery);
  const hasField = METRIC_KINDS.find(({ value }) => value === kind)?.hasField ?? false;
  const names = (known ?? [])
    .filter(
      ({ type }) =>
        kind === 'card' || type.properties.includes('numeric') || type.type.startsWith('compound'),
    )
    .map(({ name }) => name);
  const add = () => {
    onAdd(hasField ? `${kind}:${field}` : kind);
    setOpen(false);
  };
  return (
    <Popover opened={isOpen} onChange={setOpen} trapFocus returnFocus width={300}>
      <Popover.Target>
        <Button
          size="xs"
          leftSection={<IconPlus size={14} />}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          Figure
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.newMetric} aria-label="New figure">
        <Select
          label="Figure"
          data={METRIC_KINDS.map(({ value, label }) => ({ value, label }))}
          value={kind}
          allowDeselect={false}
          comboboxProps={{ withinPortal: false }}
          onChange={(next) => setKind(next ?? 'count')}
        />
        {hasField && (
          <Select
            label="Field"
            data={names}
            value={field}
            searchable
            limit={SHOWN_OPTIONS}
            comboboxProps={{ withinPortal: false }}
            onChange={setField}
          />
        )}
        <Button variant="filled" disabled={hasField && field === null} onClick={add}>
          Add
        </Button>
      </Popover.Dropdown>
    </Popover>
  );
}
