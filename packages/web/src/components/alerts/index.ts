export { AlertRow, AlertState, ResolveButton } from './alert-row.tsx';
export { ChannelEntry, MailIsOff, StreamChannels } from './channels.tsx';
export { ConditionRow } from './condition-row.tsx';
export { ValueCourse } from './value-course.tsx';
