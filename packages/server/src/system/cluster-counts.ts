import type { ClusterStats } from '@millrace/contract';
import type { Principal } from '#core/index.ts';
import type { Metadata } from '#metadata/index.ts';

export type ClusterCounts = Omit<ClusterStats, 'elasticsearch' | 'mongo'>;

type FindType = (type: string) => { readonly wireType: string } | undefined;

export interface FindTypes {
  readonly input: FindType;
  readonly output: FindType;
}

/** How much of everything there is. */
export async function countCluster(
  { repositories }: Pick<Metadata, 'repositories'>,
  principal: Principal,
  findTypes: FindTypes,
): Promise<ClusterCounts> {
  const streams = await repositories.streams.list();
  const outputs = await repositories.outputs.list();
  const inputs = await repositories.inputs.list();
  const extractors = await repositories.extractors.list();
  const readable = streams.filter(({ id }) => principal.can('streams:read', id));
  const channels = await repositories.alertNotifications.list();
  const users = await repositories.users.list();
  const alerts = await repositories.alerts.page({}, { limit: 1, offset: 0 });
  return {
    stream_count: streams.length,
    stream_rule_count: streams.reduce((sum, { rules }) => sum + rules.length, 0),
    stream_rule_count_by_stream: Object.fromEntries(readable.map(({ id, rules }) => [id, rules.length])),
    // The root user is not stored.
    user_count: users.length,
    output_count: outputs.length,
    output_count_by_type: countByType(named(outputs, findTypes.output)),
    dashboard_count: 0,
    input_count: inputs.length,
    global_input_count: inputs.filter(({ global }) => global).length,
    input_count_by_type: countByType(named(inputs, findTypes.input)),
    extractor_count: extractors.length,
    extractor_count_by_type: countByType(extractors),
    alarm_stats: {
      alert_count: alerts.total,
      alarmcallback_count_by_type: countByType(channels.map(({ wireType }) => ({ type: wireType }))),
    },
  };
}

/** Clients know types by Graylog's names. */
function named(things: readonly { readonly type: string }[], find: FindType) {
  return things.map(({ type }) => ({ type: find(type)?.wireType ?? type }));
}

function countByType(things: readonly { readonly type: string }[]): Record<string, number> {
  return Object.fromEntries(
    Object.entries(Object.groupBy(things, ({ type }) => type)).map(([type, all = []]) => [type, all.length]),
  );
}
