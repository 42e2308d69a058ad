/** What people and clients are told of a type of stream rules. */
export interface RuleTypeDescription {
  readonly id: number;
  readonly name: string;
  readonly shortDescription: string;
  readonly longDescription: string;
  readonly needsField: boolean;
  readonly needsValue: boolean;
}
