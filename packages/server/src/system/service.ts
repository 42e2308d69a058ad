/** What operators see of a node and can do to it: what the composition root builds and what the API may use. */
export type { SystemInformation, SystemInformationSettings } from './information.ts';
export { createSystemInformation } from './information.ts';
export type { JobDefinition, JobProgress, Jobs, JobsSettings, JobView } from './jobs.ts';
export { createJobs } from './jobs.ts';
export type { LogControl } from './log-control.ts';
export { createLogControl } from './log-control.ts';
export type { NodeControl, NodeControlDeps } from './node-control.ts';
export { createNodeControl } from './node-control.ts';
export type { NotificationContent, Notifications } from './notifications.ts';
export { createNotifications } from './notifications.ts';
export type { SystemStatsSettings, SystemStatsSource } from './statistics.ts';
export { createSystemStats } from './statistics.ts';
export type { System, SystemDeps, SystemSettings } from './system.ts';
export { createSystem } from './system.ts';
export type { SystemMessages } from './system-messages.ts';
export { createSystemMessages } from './system-messages.ts';
export type { Traffic, TrafficDeps, TrafficSettings } from './traffic.ts';
export { createTraffic, TRAFFIC_COUNTERS } from './traffic.ts';
