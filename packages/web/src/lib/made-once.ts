/**
 * Makes something and then finishes it. Asked for the same one again after only the finishing failed, it makes no second
 * one.
 */
export function madeOnce<Request>(create: (request: Request) => Promise<string>) {
  let made: { readonly request: string; readonly id: string } | undefined;
  return async (body: Request, finish: (id: string) => Promise<unknown>): Promise<string> => {
    const request = JSON.stringify(body);
    if (made?.request !== request) made = { request, id: await create(body) };
    const { id } = made;
    await finish(id);
    made = undefined;
    return id;
  };
}
