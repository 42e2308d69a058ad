export type { ByteBudget } from './budget.ts';
export { allocateSharedBudget, localByteBudget, sharedByteBudget } from './budget.ts';
export type { JournalFile, JournalFileSystem } from './file-system.ts';
export type { JournalIncident, ReportIncident } from './incident.ts';
export type { JournalPartition, PartitionConfig, PartitionDeps, PartitionTuning } from './partition.ts';
export { openPartition } from './partition.ts';
export type { PartitionDirectory } from './partitions.ts';
export { listPartitions, partitionDirectory, removeDrainedPartition } from './partitions.ts';
