export interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  /** Null when the package has no file with it. */
  readonly text: string | null;
}

export function shippedPackages(root: string): ShippedPackage[];
