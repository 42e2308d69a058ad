import { Select, TextInput } from '@mantine/core';
import type { Input } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { inputStatesQuery } from '../../lib/inputs/index.ts';
import { formTexts as texts } from './texts.ts';

const MAX_TITLE_LENGTH = 200;
const ALL_NODES = '*';

/** What every input has, whatever its type. */
export interface CommonValues {
  readonly title: string;
  readonly global: boolean;
  /** Null: all nodes, or the one that is asked. */
  readonly node: string | null;
}

export function commonOf({ title, global, node }: Input): CommonValues {
  return { title, global, node };
}

export interface CommonFieldsProps {
  readonly values: CommonValues;
  readonly onChange: (values: CommonValues) => void;
  readonly isTried: boolean;
}

export function CommonFields({ values, onChange, isTried }: CommonFieldsProps) {
  const { data: nodes = {} } = useQuery(inputStatesQuery);
  const ids = Object.keys(nodes);
  const isUntitled = values.title.trim() === '';
  return (
    <>
      <TextInput
        label={texts.typeTitle}
        value={values.title}
        maxLength={MAX_TITLE_LENGTH}
        error={isTried && isUntitled ? texts.untitled : undefined}
        onChange={(event) => onChange({ ...values, title: event.currentTarget.value })}
      />
      {(ids.length > 1 || !values.global) && (
        <Select
          label={texts.runsOn}
          data={[
            { value: ALL_NODES, label: texts.allNodes },
            ...[...new Set([...ids, ...(values.node === null ? [] : [values.node])])].map((id) => ({
              value: id,
              label: texts.thisNode(id),
            })),
          ]}
          value={values.global ? ALL_NODES : (values.node ?? ALL_NODES)}
          onChange={(chosen) =>
            onChange({
              ...values,
              global: chosen === ALL_NODES,
              node: chosen === ALL_NODES ? null : chosen,
            })
          }
        />
      )}
    </>
  );
}
