export type { ExportJobs } from './export-jobs.ts';
export { createExportJobs } from './export-jobs.ts';
export type { ExportRequest, Exports } from './exports.ts';
export { createExports } from './exports.ts';
export { EXPORT_CONTENT_TYPES, type ExportFormat } from './formats.ts';
