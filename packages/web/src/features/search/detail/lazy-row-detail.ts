import { lazyPart } from '../../../lib/lazy-part.tsx';

/** Nobody sees it before a row was opened. */
export const RowDetail = lazyPart(async () => (await import('./row-detail.tsx')).RowDetail);
