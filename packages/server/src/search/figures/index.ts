export type { Comparison, FigureExpression, FigureValue } from './expression.ts';
export { isTrue } from './expression.ts';
export type {
  Figure,
  Figures,
  FiguresCaller,
  FigureWindow,
  Measured,
  MeasuredMessages,
  MeasuredRow,
  Measurement,
  TimeBasis,
} from './figures.ts';
export { createFigures } from './figures.ts';
