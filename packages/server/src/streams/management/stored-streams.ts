import type { MatchingType } from '../index.ts';

/**
 * What the management of streams needs of the metadata database, which only `service.ts` may know. The
 * repositories of `metadata/` are all this.
 */
export interface StoredStream {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly creator: string;
  readonly matchingType: MatchingType;
  readonly removeMatches: boolean;
  readonly indexSetId: string;
  readonly state: StoredStreamState;
  readonly stateReason: string | null;
  readonly contentPack: string | null;
  readonly createdAt: number;
  readonly rules: readonly StoredRule[];
}

export type StoredStreamState = 'running' | 'paused' | 'disabled';

export interface StoredRule extends StoredRuleProperties {
  readonly id: string;
  readonly streamId: string;
  readonly contentPack: string | null;
}

export interface StoredRuleProperties {
  readonly type: number;
  readonly field: string;
  readonly value: string;
  readonly inverted: boolean;
  readonly description: string;
}

type NewStream = Omit<StoredStream, 'id' | 'createdAt' | 'stateReason' | 'rules'>;
type NewRule = StoredRuleProperties & { readonly contentPack: string | null };
type Changes = Partial<
  Pick<StoredStream, 'title' | 'description' | 'matchingType' | 'removeMatches' | 'indexSetId'>
>;

export interface StreamTables {
  readonly streams: {
    insert(stream: NewStream, rules: readonly NewRule[]): Promise<StoredStream>;
    ensure(id: string, stream: NewStream): Promise<void>;
    update(id: string, changes: Changes): Promise<StoredStream | undefined>;
    setState(
      id: string,
      state: StoredStreamState,
      reason: string | null,
      from?: StoredStreamState,
    ): Promise<boolean>;
    remove(id: string): Promise<boolean>;
    find(id: string): Promise<StoredStream | undefined>;
    list(): Promise<readonly StoredStream[]>;
    insertRule(streamId: string, rule: NewRule): Promise<StoredRule>;
    updateRule(streamId: string, ruleId: string, rule: StoredRuleProperties): Promise<StoredRule | undefined>;
    removeRule(streamId: string, ruleId: string): Promise<boolean>;
    revision(): Promise<string>;
  };
  readonly grants: {
    add(userId: string, permissions: readonly string[]): Promise<boolean>;
    removeFromAll(permissions: readonly string[]): Promise<void>;
  };
  readonly indexSets: {
    find(id: string): Promise<StoredIndexSet | undefined>;
    list(): Promise<readonly StoredIndexSet[]>;
  };
  readonly inputs: {
    list(): Promise<
      readonly {
        readonly id: string;
        readonly staticFields: Readonly<Record<string, string>>;
        readonly configuration: Readonly<Record<string, unknown>>;
      }[]
    >;
  };
}

export interface StoredIndexSet {
  readonly id: string;
  readonly title: string;
  readonly writable: boolean;
  readonly isDefault: boolean;
  readonly deleting: boolean;
}

export interface StreamStore {
  readonly repositories: StreamTables;
  /** All that `work` writes is stored, or nothing. */
  transaction<T>(work: (scope: { readonly repositories: StreamTables }) => Promise<T>): Promise<T>;
}
