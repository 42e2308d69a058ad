export interface TrafficTable {
  hour: number;
  node_id: string;
  input: number;
  decoded: number;
  output: number;
}
