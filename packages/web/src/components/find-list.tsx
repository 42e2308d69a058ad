import { FindBox } from './find-box.tsx';
import { ListFrame, type ListFrameProps } from './list-frame.tsx';
import type { ListState } from './use-list-values.ts';

interface Found {
  readonly find: string;
  readonly page: number;
}

export interface FindListProps
  extends Pick<ListFrameProps, 'result' | 'total' | 'perPage' | 'one' | 'many' | 'empty' | 'children'> {
  readonly texts: {
    /** Of the page, in the list of keys. */
    readonly title: string;
    readonly find: string;
    readonly findHint: string;
    readonly noneFound: (find: string) => string;
    readonly showAll: string;
  };
  readonly list: ListState<Found>;
}

/** A list of which a box finds some. */
export function FindList({ texts, list, ...frame }: FindListProps) {
  const { values, change } = list;
  return (
    <ListFrame
      {...frame}
      page={values.page}
      onPage={(page) => change({ page })}
      controls={
        <FindBox
          label={texts.find}
          hint={texts.findHint}
          group={texts.title}
          find={values.find}
          onFind={(find) => change({ find, page: 1 })}
        />
      }
      isNarrowed={values.find.trim() !== ''}
      noneFound={texts.noneFound(values.find)}
      showAll={texts.showAll}
      onShowAll={() => change({ find: '', page: 1 })}
    />
  );
}
