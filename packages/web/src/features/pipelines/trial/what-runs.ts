import type { SimulateRequest } from '@millrace/contract';

/** A rule or a pipeline, stored or not; when nothing is named, the pipelines of the message's streams. */
export type WhatRuns = Partial<
  Pick<SimulateRequest, 'rule_id' | 'rule_source' | 'pipeline_id' | 'pipeline_source' | 'with_rules'>
>;
