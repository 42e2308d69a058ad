export interface GrokPatternsTable {
  id: string;
  name: string;
  pattern: string;
  content_pack: string | null;
  created_at: number;
  updated_at: number;
}
