import { FindBox } from '../../components/find-box.tsx';
import { ListFrame, type ListFrameProps } from '../../components/list-frame.tsx';
import { StreamSelect } from '../../components/stream-select.tsx';
import type { ListState } from '../../components/use-list-values.ts';
import type { SortedListValues } from '../../lib/url/index.ts';
import classes from './alerts.module.css';
import { type NamedOrder, OrderSelect } from './order-select.tsx';
import { PER_PAGE } from './queries.ts';
import { listTexts as texts } from './texts.ts';

interface NarrowedValues<Sort extends string> extends SortedListValues<Sort> {
  /** The id of a stream; all when it is empty. */
  readonly s: string;
}

interface NarrowedListProps<Sort extends string>
  extends ListState<NarrowedValues<Sort>>,
    Pick<ListFrameProps, 'result' | 'total' | 'one' | 'noneFound' | 'empty' | 'children'> {
  readonly find: { readonly label: string; readonly hint: string };
  readonly orders: readonly NamedOrder<Sort>[];
}

/** A list that is narrowed by words and by a stream, in an order that is chosen. */
export function NarrowedList<Sort extends string>(props: NarrowedListProps<Sort>) {
  const { values, change, find, orders, ...frame } = props;
  const narrow = (next: Partial<NarrowedValues<Sort>>) => change({ ...next, page: 1 });
  return (
    <ListFrame
      {...frame}
      page={values.page}
      perPage={PER_PAGE}
      onPage={(page) => change({ page })}
      controls={
        <div className={classes.bar}>
          <div className={classes.controls}>
            <FindBox
              {...find}
              group={texts.title}
              find={values.find}
              onFind={(words) => narrow({ find: words })}
            />
            <StreamSelect
              aria-label={texts.stream}
              placeholder={texts.allStreams}
              value={values.s === '' ? null : values.s}
              clearable
              clearButtonProps={{ 'aria-label': texts.allStreams }}
              onChange={(id) => narrow({ s: id ?? '' })}
            />
          </div>
          <OrderSelect orders={orders} value={values} onChange={narrow} />
        </div>
      }
      isNarrowed={values.find.trim() !== '' || values.s !== ''}
      showAll={texts.showAll}
      onShowAll={() => narrow({ find: '', s: '' })}
    />
  );
}
