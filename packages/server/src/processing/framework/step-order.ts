/** Which of the parts run, and in which order, by their ids. */
export interface StepOrder {
  readonly order: readonly string[];
  readonly disabled: readonly string[];
}

/** Ids without a part are ignored. Parts that are not named run after those that are, in their given order. */
export function inConfiguredOrder<Part extends { readonly id: string }>(
  parts: readonly Part[],
  { order, disabled }: StepOrder,
): Part[] {
  const named = [...new Set(order)].flatMap((id) => parts.find((part) => part.id === id) ?? []);
  const others = parts.filter((part) => !named.includes(part));
  return [...named, ...others].filter(({ id }) => !disabled.includes(id));
}
