/** One part for both editors: as two, the bundler would give the pages what the two of them share. */
export { RichQueryBox } from './rich-query-box.tsx';
export { RichRuleBox } from './rich-rule-box.tsx';
