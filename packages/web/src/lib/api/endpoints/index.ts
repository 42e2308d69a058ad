import type { AccountEndpoints } from './account.ts';
import type { AlertEndpoints } from './alerts.ts';
import type { ExtractorEndpoints } from './extractors.ts';
import type { IndexSetEndpoints } from './index-sets.ts';
import type { InputEndpoints } from './inputs.ts';
import type { LookupEndpoints } from './lookup.ts';
import type { OutputEndpoints } from './outputs.ts';
import type { PipelineEndpoints } from './pipelines.ts';
import type { SearchEndpoints } from './search.ts';
import type { StreamEndpoints } from './streams.ts';
import type { SystemEndpoints } from './system.ts';
import type { UserEndpoints } from './users.ts';

/**
 * Every call the web interface makes, by method and path as in `docs/openapi.json`; a test compares the two.
 * Types only: the schemas they come from, and Zod with them, stay out of the bundle.
 */
export interface Endpoints
  extends AccountEndpoints,
    AlertEndpoints,
    ExtractorEndpoints,
    IndexSetEndpoints,
    InputEndpoints,
    LookupEndpoints,
    OutputEndpoints,
    PipelineEndpoints,
    SearchEndpoints,
    StreamEndpoints,
    SystemEndpoints,
    UserEndpoints {}

export type EndpointName = keyof Endpoints;
export type ResponseOf<Name extends EndpointName> = Endpoints[Name]['response'];

type BodyOf<Name extends EndpointName> = Endpoints[Name] extends { body: infer Body } ? Body : undefined;
type QueryOf<Name extends EndpointName> = Endpoints[Name] extends { query: infer Query } ? Query : undefined;

/** `'streamId' | 'ruleId'` of `/streams/{streamId}/rules/{ruleId}`. */
type ParameterOf<Path extends string> = Path extends `${string}{${infer Parameter}}${infer Rest}`
  ? Parameter | ParameterOf<Rest>
  : never;

type Part<Name extends string, Value> = [Value] extends [undefined]
  ? { [Key in Name]?: undefined }
  : undefined extends Value
    ? { [Key in Name]?: Value }
    : { [Key in Name]: Value };

type PathPart<Name extends string> = [ParameterOf<Name>] extends [never]
  ? { path?: undefined }
  : { path: Readonly<Record<ParameterOf<Name>, string>> };

export type RequestOf<Name extends EndpointName> = PathPart<Name> &
  Part<'body', BodyOf<Name>> &
  Part<'query', QueryOf<Name>>;
