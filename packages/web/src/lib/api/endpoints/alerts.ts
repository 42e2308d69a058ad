import type {
  AlertConditionList,
  AlertsPageQuery,
  ConditionPreview,
  ConditionPreviewRequest,
  ConditionTest,
  ConditionTypes,
  CreateConditionRequest,
  MuteRequest,
  TriggeredAlert,
  TriggeredAlertList,
  UpdateConditionRequest,
} from '@millrace/contract';

export interface AlertEndpoints {
  'GET /alerts/conditions': { response: AlertConditionList };
  'GET /alerts/conditions/types': { response: ConditionTypes };
  'GET /streams/{streamId}/alerts/conditions': { response: AlertConditionList };
  'POST /streams/{streamId}/alerts/conditions': {
    body: CreateConditionRequest;
    response: { alert_condition_id: string };
  };
  'PUT /streams/{streamId}/alerts/conditions/{conditionId}': {
    body: UpdateConditionRequest;
    response: undefined;
  };
  'DELETE /streams/{streamId}/alerts/conditions/{conditionId}': { response: undefined };
  'PUT /streams/{streamId}/alerts/conditions/{conditionId}/mute': { body: MuteRequest; response: undefined };
  'POST /streams/{streamId}/alerts/conditions/preview': {
    body: ConditionPreviewRequest;
    response: ConditionPreview;
  };
  'POST /streams/{streamId}/alerts/conditions/{conditionId}/test': { response: ConditionTest };
  'GET /streams/alerts/paginated': {
    query: Partial<AlertsPageQuery>;
    response: TriggeredAlertList;
  };
  'GET /streams/{streamId}/alerts/paginated': {
    query: Partial<AlertsPageQuery>;
    response: TriggeredAlertList;
  };
  'PUT /streams/{streamId}/alerts/{alertId}/resolve': { response: TriggeredAlert };
}
