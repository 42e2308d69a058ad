/** Levels that share a colour in the histogram, the most severe first. Level 1 is also what has no level: it stands apart. */
export interface LevelGroup {
  readonly name: string;
  readonly label: string;
  /** In a sentence: "Only errors". */
  readonly title: string;
  readonly levels: readonly number[];
}

export const LEVEL_GROUPS: readonly LevelGroup[] = [
  { name: 'critical', label: 'Critical', title: 'emergencies and critical ones', levels: [0, 2] },
  { name: 'error', label: 'Error', title: 'errors', levels: [3] },
  { name: 'warning', label: 'Warning', title: 'warnings', levels: [4] },
  { name: 'info', label: 'Info', title: 'notices and infos', levels: [5, 6] },
  { name: 'debug', label: 'Debug', title: 'debug messages', levels: [7] },
  { name: 'none', label: 'Alert or no level', title: 'alerts and messages without a level', levels: [1] },
];
