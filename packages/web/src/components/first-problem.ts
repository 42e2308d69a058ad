/** Where somebody goes on who tried to send a form that is not complete. */
export function focusFirstProblem(form: HTMLFormElement | null): void {
  form?.querySelector<HTMLElement>('[aria-invalid="true"], [data-wrong="true"]')?.focus();
}
