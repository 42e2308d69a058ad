import { countOf, formatBytes, formatCount } from '../../../lib/format/index.ts';

export const exportTexts = {
  title: 'Export messages',
  format: 'Format',
  columns: 'Columns',
  columnsHelp: 'In this order. Type the name of any field.',
  rows: 'Rows',
  rowsHelp: 'In the order of the list. Empty: all of them.',
  allRows: (total: number | undefined) => (total === undefined ? 'All' : `All ${formatCount(total)}`),
  estimate: (rows: number | undefined, bytes: number | undefined) =>
    rows === undefined
      ? 'How many there are is counted when it starts.'
      : bytes === undefined
        ? countOf(rows, 'row')
        : `${countOf(rows, 'row')}, about ${formatBytes(bytes)}`,
  start: 'Export',
  cancel: 'Cancel',
  close: 'Close',
  again: 'Export again',
  progress: (rows: number, total: number, size: string) =>
    `${formatCount(rows)} of ${formatCount(total)} rows, ${size}`,
  done: (rows: number, size: string) => `Done: ${countOf(rows, 'row')}, ${size}. The browser has the file.`,
  cancelled: (rows: number) => `Cancelled after ${countOf(rows, 'row')}. The file is not complete.`,
  failed: (why: string, rows: number) => `It failed after ${countOf(rows, 'row')}. ${why}`,
  fewer: (messages: string) => `${messages} fewer than were counted: they were deleted meanwhile.`,
};
