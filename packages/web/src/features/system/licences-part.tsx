import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FindBox } from '../../components/find-box.tsx';
import { hasWords } from '../../lib/format/index.ts';
import { licencesQuery, type ShippedPackage } from './queries.ts';
import classes from './system.module.css';
import { texts as common, licenceTexts as texts } from './texts.ts';

export function LicencesPart() {
  const { data, error, refetch } = useQuery(licencesQuery);
  const [find, setFind] = useState('');
  const [openKey, setOpenKey] = useState<string>();
  const shown = (data ?? []).filter(({ name, licence }) => hasWords([name, licence], find));
  return (
    <>
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      <FindBox
        label={texts.find}
        hint={texts.findHint}
        group={common.parts.licences}
        find={find}
        onFind={setFind}
      />
      {shown.length > 0 && (
        <DataTable
          label={common.parts.licences}
          columns={columnsOf(openKey, setOpenKey)}
          rows={shown}
          rowKey={keyOf}
          below={(row) => keyOf(row) === openKey && <LicenceText row={row} />}
        />
      )}
      {data !== undefined && shown.length === 0 && <EmptyState title={texts.none(find)} />}
    </>
  );
}

const keyOf = ({ name, version }: ShippedPackage) => `${name}@${version}`;

function columnsOf(
  openKey: string | undefined,
  onOpen: (key: string | undefined) => void,
): readonly Column<ShippedPackage>[] {
  return [
    {
      key: 'package',
      title: texts.package,
      render: ({ name }) => <span className={classes.code}>{name}</span>,
    },
    {
      key: 'version',
      title: texts.version,
      isMinor: true,
      width: '120px',
      render: ({ version }) => version,
    },
    { key: 'licence', title: texts.licence, width: '160px', render: ({ licence }) => licence },
    {
      key: 'actions',
      title: common.actions,
      width: '136px',
      isActions: true,
      render: (row) => {
        const key = keyOf(row);
        const isOpen = key === openKey;
        return (
          <Button
            size="xs"
            aria-expanded={isOpen}
            aria-label={`${isOpen ? texts.hide : texts.show}: ${row.name}`}
            onClick={() => onOpen(isOpen ? undefined : key)}
          >
            {isOpen ? texts.hide : texts.show}
          </Button>
        );
      },
    },
  ];
}

function LicenceText({ row }: { readonly row: ShippedPackage }) {
  if (row.text === null) return <p className={classes.quiet}>{texts.noText}</p>;
  return (
    <section aria-label={texts.text(row.name)}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled with the arrow keys */}
      <pre className={classes.text} tabIndex={0}>
        {row.text}
      </pre>
    </section>
  );
}
