export interface LeasesTable {
  name: string;
  holder: string;
  expires_at: number;
}
