import type {
  AlarmCallbackList,
  AlarmCallbackRequest,
  AlertConditionList,
  AlertDeliveriesQuery,
  AlertDelivery,
  AlertsPageQuery,
  AllAlertsPageQuery,
  AllDeliveriesQuery,
  ConditionPage,
  ConditionPreview,
  ConditionsPageQuery,
  ConditionTest,
  ConditionTypes,
  CreateConditionRequest,
  DeliveriesPage,
  DeliveriesQuery,
  EventNotification,
  EventNotificationPage,
  EventNotificationRequest,
  EventNotificationsQuery,
  MuteRequest,
  NotificationTypeList,
  TriggeredAlert,
  TriggeredAlertList,
  UpdateConditionRequest,
} from '@millrace/contract';

export interface AlertEndpoints {
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
  'POST /streams/{streamId}/alerts/conditions/{conditionId}/test': { response: ConditionTest };
  'GET /alerts/conditions/paginated': { query: Partial<ConditionsPageQuery>; response: ConditionPage };
  'GET /streams/alerts/paginated': { query: Partial<AllAlertsPageQuery>; response: TriggeredAlertList };
  'GET /streams/alerts/{alertId}': { response: TriggeredAlert };
  'GET /streams/alerts/{alertId}/values': { response: ConditionPreview };
  'GET /streams/alerts/{alertId}/deliveries': {
    query: Partial<AlertDeliveriesQuery>;
    response: DeliveriesPage;
  };
  'GET /alerts/callbacks': { response: AlarmCallbackList };
  'GET /alerts/callbacks/types': { response: NotificationTypeList };
  'POST /alerts/callbacks/{callbackId}/test': { response: undefined };
  'GET /streams/{streamId}/alarmcallbacks': { response: AlarmCallbackList };
  'POST /streams/{streamId}/alarmcallbacks': {
    body: AlarmCallbackRequest;
    response: { alarmcallback_id: string };
  };
  'PUT /streams/{streamId}/alarmcallbacks/{callbackId}': { body: AlarmCallbackRequest; response: undefined };
  'DELETE /streams/{streamId}/alarmcallbacks/{callbackId}': { response: undefined };
  'GET /events/notifications': { query: Partial<EventNotificationsQuery>; response: EventNotificationPage };
  'GET /events/notifications/types': { response: NotificationTypeList };
  'GET /events/notifications/{notificationId}': { response: EventNotification };
  'POST /events/notifications': { body: EventNotificationRequest; response: EventNotification };
  'PUT /events/notifications/{notificationId}': {
    body: EventNotificationRequest;
    response: EventNotification;
  };
  'DELETE /events/notifications/{notificationId}': { response: undefined };
  'POST /events/notifications/{notificationId}/test': { response: undefined };
  'GET /alerts/queue': { query: Partial<DeliveriesQuery>; response: DeliveriesPage };
  'DELETE /alerts/queue': { response: { cancelled: number } };
  'DELETE /alerts/queue/{deliveryId}': { response: undefined };
  'GET /alerts/deliveries': { query: Partial<AllDeliveriesQuery>; response: DeliveriesPage };
  'POST /alerts/deliveries/{deliveryId}/send_again': { response: AlertDelivery };
  'GET /streams/{streamId}/alerts/paginated': {
    query: Partial<AlertsPageQuery>;
    response: TriggeredAlertList;
  };
  'PUT /streams/{streamId}/alerts/{alertId}/resolve': { response: TriggeredAlert };
}
