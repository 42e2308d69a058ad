import type { ErrorCode } from '@millrace/contract';
import type { z } from 'zod';
import type { Route, RoutePermission } from '../route.ts';

interface Tester<Test extends z.ZodObject, Tested extends z.ZodType> {
  /** Of its path below `/tools`. */
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  readonly permission: RoutePermission;
  readonly errors: readonly ErrorCode[];
  readonly test: Test;
  readonly tested: Tested;
  run(test: z.output<Test>): z.input<Tested> | Promise<z.input<Tested>>;
}

/** Graylog's testers take what to test as the body of a POST or as the parameters of a GET. */
export function testerRoutes<Test extends z.ZodObject, Tested extends z.ZodType>({
  name,
  test,
  tested,
  run,
  ...common
}: Tester<Test, Tested>): Route[] {
  const shared = { ...common, path: `/tools/${name}`, tag: 'Tools', responses: { 200: tested } };
  return [
    { ...shared, method: 'POST', body: test, handler: ({ body }) => run(body as z.output<Test>) },
    {
      ...shared,
      method: 'GET',
      summary: `${shared.summary}, with parameters`,
      query: test.strip(),
      handler: ({ query }) => run(query as z.output<Test>),
    },
  ];
}
