import type { OutputRequest } from '@millrace/contract';

interface Steps {
  /** Returns the id. */
  readonly create: (request: OutputRequest) => Promise<string>;
  readonly attach: (outputId: string) => Promise<unknown>;
}

/** Makes an output and attaches it. Asked for the same one again after only attaching failed, it makes no second one. */
export function outputCreation({ create, attach }: Steps): (request: OutputRequest) => Promise<void> {
  let made: { readonly request: string; readonly id: string } | undefined;
  return async (body) => {
    const request = JSON.stringify(body);
    if (made?.request !== request) made = { request, id: await create(body) };
    await attach(made.id);
    made = undefined;
  };
}
