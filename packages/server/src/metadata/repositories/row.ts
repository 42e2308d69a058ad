import type { Kysely, Selectable, Updateable } from 'kysely';
import type { Database } from '../tables/index.ts';

/** Tables whose rows are known by an `id`. */
type TableWithId = {
  [Table in keyof Database]: Database[Table] extends { id: string } ? Table : never;
}[keyof Database];

/**
 * The row as it is, locked until the transaction ends, so that the second of two concurrent changes sees the first. It is
 * written with the id that it has, because of the two databases only PostgreSQL has `for update`.
 */
export function lockedRow<Table extends TableWithId>(
  transaction: Kysely<Database>,
  table: Table,
  id: string,
): Promise<Selectable<Database[Table]> | undefined> {
  return changedRow(transaction, table, id, {});
}

/** The row with these columns changed, if any; undefined if there is no such row. */
export async function changedRow<Table extends TableWithId>(
  db: Kysely<Database>,
  table: Table,
  id: string,
  columns: Partial<Updateable<Database[Table]>>,
): Promise<Selectable<Database[Table]> | undefined> {
  // Kysely cannot tell the columns of a table that is one of several; the signature does.
  const row = await (db as unknown as Kysely<{ table: { id: string } }>)
    .updateTable(table as 'table')
    .set({ id, ...columns })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  return row as Selectable<Database[Table]> | undefined;
}
