export interface PipelinesTable {
  id: string;
  title: string;
  description: string;
  source: string;
  created_at: number;
  updated_at: number;
}

export interface PipelineRulesTable extends PipelinesTable {
  disabled_reason: string | null;
}

export interface PipelineConnectionsTable {
  stream_id: string;
  pipeline_id: string;
}
