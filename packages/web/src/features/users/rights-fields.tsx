import { ActionIcon, Select, TagsInput, Tooltip } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useId } from 'react';
import { type ChoiceSource, FoundMultiSelect } from '../../components/found-select.tsx';
import { OptionalLabel } from '../../components/optional-label.tsx';
import { StreamSelect } from '../../components/stream-select.tsx';
import { useCan } from '../../lib/account/index.ts';
import { call } from '../../lib/api/index.ts';
import { useStreamTitles } from '../../lib/streams/index.ts';
import { ROLES } from './queries.ts';
import {
  permissionsOf,
  permissionsOfStream,
  type Rights,
  type StreamLevel,
  type StreamRight,
} from './rights.ts';
import { texts } from './texts.ts';
import classes from './users.module.css';

const LEVELS = [
  { value: 'read', label: texts.read },
  { value: 'edit', label: texts.edit },
];

/** Roles by name. */
const roleSource: ChoiceSource = {
  key: ROLES,
  find: async (query, count, signal) => {
    const { roles } = await call('GET /authz/roles', { query: { query, per_page: count }, signal });
    return roles.map(({ name }) => ({ value: name, label: name }));
  },
};
const NO_ROLES: ChoiceSource = { key: ['no-roles'], find: async () => [] };

interface RolesFieldProps {
  readonly roles: readonly string[];
  readonly onChange: (roles: string[]) => void;
  readonly isReadOnly?: boolean;
}

export function RolesField({ roles, onChange, isReadOnly = false }: RolesFieldProps) {
  const mayRead = useCan('roles:read');
  const mayChange = useCan('users:rolesedit');
  return (
    <FoundMultiSelect
      label={<OptionalLabel text={texts.roles} />}
      description={mayChange ? texts.rolesHelp : texts.needsRoles}
      source={mayRead ? roleSource : NO_ROLES}
      labelOf={(name) => name}
      value={roles}
      onChange={onChange}
      readOnly={isReadOnly || !mayChange}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
    />
  );
}

interface RightsFieldsProps {
  readonly rights: Rights;
  readonly onChange: (rights: Rights) => void;
  readonly isReadOnly?: boolean;
}

/** The rights of a user, which only some may change. */
export function RightsFields({ rights, onChange, isReadOnly = false }: RightsFieldsProps) {
  const mayChange = useCan('users:permissionsedit');
  return (
    <>
      {!isReadOnly && !mayChange && <p className={classes.help}>{texts.needsPermissions}</p>}
      <RightsEditor rights={rights} onChange={onChange} isReadOnly={isReadOnly || !mayChange} />
    </>
  );
}

/** Streams by name, everything else by its permission, and all of it as the strings that it becomes. */
export function RightsEditor({ rights, onChange, isReadOnly = false }: RightsFieldsProps) {
  const strings = permissionsOf(rights);
  return (
    <>
      <StreamRights rights={rights} onChange={onChange} isReadOnly={isReadOnly} />
      <TagsInput
        label={<OptionalLabel text={texts.others} />}
        description={texts.othersHelp}
        value={[...rights.others]}
        readOnly={isReadOnly}
        onChange={(others) => onChange({ ...rights, others })}
      />
      {strings.length > 0 && (
        <details className={classes.full}>
          <summary>{texts.inFull(strings.length)}</summary>
          <pre className={classes.strings}>{strings.join('\n')}</pre>
        </details>
      )}
    </>
  );
}

function StreamRights({ rights, onChange, isReadOnly = false }: RightsFieldsProps) {
  const labelId = useId();
  const { titles } = useStreamTitles(rights.streams.map(({ streamId }) => streamId));
  const setStreams = (streams: readonly StreamRight[]) => onChange({ ...rights, streams });
  return (
    <div className={classes.streams}>
      <span id={labelId} className={classes.label}>
        <OptionalLabel text={texts.streams} />
      </span>
      {rights.streams.length > 0 && (
        <ul className={classes.streamList} aria-labelledby={labelId}>
          {rights.streams.map((right) => {
            const title = titles[right.streamId] ?? texts.unknownStream(right.streamId);
            const others = rights.streams.filter((each) => each !== right);
            return (
              <li key={right.streamId}>
                <span className={classes.streamTitle} title={permissionsOfStream(right).join('\n')}>
                  <bdi>{title}</bdi>
                </span>
                <Select
                  aria-label={`${texts.rights}: ${title}`}
                  className={classes.level}
                  data={LEVELS}
                  value={right.level}
                  readOnly={isReadOnly}
                  allowDeselect={false}
                  onChange={(level) =>
                    setStreams(
                      rights.streams.map((each) =>
                        each === right ? { ...right, level: level as StreamLevel } : each,
                      ),
                    )
                  }
                />
                {!isReadOnly && (
                  <Tooltip label={texts.remove(title)}>
                    <ActionIcon aria-label={texts.remove(title)} onClick={() => setStreams(others)}>
                      <IconX size={16} />
                    </ActionIcon>
                  </Tooltip>
                )}
              </li>
            );
          })}
        </ul>
      )}
      {!isReadOnly && (
        <StreamSelect
          aria-label={texts.addStream}
          placeholder={texts.addStream}
          without={rights.streams.map(({ streamId }) => streamId)}
          value={null}
          onChange={(streamId) =>
            streamId !== null && setStreams([...rights.streams, { streamId, level: 'read' }])
          }
        />
      )}
      <span className={classes.help}>{texts.streamsHelp}</span>
    </div>
  );
}
