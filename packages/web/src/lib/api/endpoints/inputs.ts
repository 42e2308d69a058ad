import type {
  InputCreated,
  InputPage,
  InputRequest,
  InputState,
  InputType,
  Input as InputView,
  PagingQuery,
  Problem,
  StaticFieldRequest,
  TestMessageSent,
} from '@millrace/contract';

/** What each node answered; null for one that did not or does not have the input. */
type Changed = Record<string, InputCreated | null>;

export interface InputEndpoints {
  'GET /system/inputs/paginated': { query: Partial<PagingQuery>; response: InputPage };
  'POST /system/inputs': { body: InputRequest; response: InputCreated };
  'GET /system/inputs/{inputId}': { response: InputView };
  'PUT /system/inputs/{inputId}': { body: InputRequest; response: InputCreated };
  'DELETE /system/inputs/{inputId}': { response: undefined };
  'POST /system/inputs/{inputId}/staticfields': { body: StaticFieldRequest; response: undefined };
  'DELETE /system/inputs/{inputId}/staticfields/{key}': { response: undefined };
  'POST /system/inputs/{inputId}/test_message': { response: TestMessageSent };
  'GET /system/inputs/types/all': { response: Record<string, InputType> };
  'POST /system/inputs/types/{inputType}/validate': {
    body: { configuration: Record<string, unknown> };
    response: { problems: readonly Problem[] };
  };
  'GET /cluster/inputstates': { response: Record<string, InputState[] | null> };
  'PUT /cluster/inputstates/{inputId}': { response: Changed };
  'DELETE /cluster/inputstates/{inputId}': { response: Changed };
  'GET /system/indexer/failures/count': { query: { since: string }; response: { count: number } };
}
