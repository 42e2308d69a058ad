import { Switch, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FoundSelect } from '../../components/found-select.tsx';
import { defaultIndexSetQuery, indexSetSource, indexSetTitlesQuery } from './queries.ts';
import classes from './rules.module.css';
import { ruleTexts, texts } from './texts.ts';

export interface StreamSettings {
  readonly title: string;
  readonly description: string;
  /** Empty: the default index set. */
  readonly indexSetId: string;
  readonly removeMatches: boolean;
}

export function isSameSettings(a: StreamSettings, b: StreamSettings): boolean {
  return (
    a.title === b.title &&
    a.description === b.description &&
    a.indexSetId === b.indexSetId &&
    a.removeMatches === b.removeMatches
  );
}

export interface SettingsFieldsProps {
  readonly values: StreamSettings;
  readonly onChange: (values: StreamSettings) => void;
  readonly titleProblem?: string | undefined;
  readonly isReadOnly?: boolean;
  /** The title takes the focus: there is nothing else to begin with. */
  readonly isNew?: boolean;
}

export function TitleField(props: SettingsFieldsProps) {
  const { values, onChange, titleProblem, isReadOnly = false, isNew = false } = props;
  return (
    <TextInput
      label={texts.titleLabel}
      value={values.title}
      maxLength={200}
      error={titleProblem}
      readOnly={isReadOnly}
      autoFocus={isNew}
      onChange={(event) => onChange({ ...values, title: event.currentTarget.value })}
    />
  );
}

/** Everything else that people set, one below the other. */
export function MoreFields({ values, onChange, isReadOnly = false }: SettingsFieldsProps) {
  const { data: standard } = useQuery(defaultIndexSetQuery);
  const setId = values.indexSetId === '' ? (standard?.id ?? '') : values.indexSetId;
  const { data: titles } = useQuery(indexSetTitlesQuery(setId === '' ? [] : [setId]));
  return (
    <div className={classes.fields}>
      <Textarea
        label={texts.description}
        value={values.description}
        maxLength={2000}
        autosize
        minRows={2}
        maxRows={6}
        readOnly={isReadOnly}
        onChange={(event) => onChange({ ...values, description: event.currentTarget.value })}
      />
      {setId !== '' && (
        <FoundSelect
          label={ruleTexts.indexSet}
          description={ruleTexts.indexSetHelp}
          source={indexSetSource}
          value={setId}
          valueLabel={titles?.get(setId)}
          allowDeselect={false}
          readOnly={isReadOnly}
          onChange={(value) => onChange({ ...values, indexSetId: value ?? '' })}
        />
      )}
      <Switch
        label={ruleTexts.removeMatches}
        description={ruleTexts.removeMatchesHelp}
        checked={values.removeMatches}
        disabled={isReadOnly}
        onChange={(event) => onChange({ ...values, removeMatches: event.currentTarget.checked })}
      />
    </div>
  );
}
