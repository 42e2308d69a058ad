/**
 * Where the documentation explains a page, by the beginning of its address, maybe with its tab. The longest one that
 * fits counts.
 */
export const PLACES: Readonly<Record<string, string>> = {
  '/search': 'search-page.html',
  '/messages': 'search-page.html#messages',
  '/welcome': 'inputs.html',
  '/streams': 'streams.html',
  '/alerts': 'alerts.html',
  '/alerts/conditions': 'alerts.html#conditions',
  '/alerts/notifications': 'notifications.html',
  '/inputs': 'inputs.html',
  '/inputs?tab=extractors': 'extractors.html',
  '/pipelines': 'pipelines.html',
  '/pipelines/rules': 'pipelines.html#the-language',
  '/pipelines/simulator': 'pipelines.html#trying-rules',
  '/pipelines/grok': 'pipelines.html#grok-patterns',
  '/pipelines/lookup': 'lookup-tables.html',
  '/outputs': 'outputs.html',
  '/index-sets': 'index-sets.html#in-the-web-interface',
  '/overview': 'operation.html#overview',
  '/nodes': 'operation.html#nodes',
  '/users': 'operation.html#users-and-roles',
  '/roles': 'operation.html#users-and-roles',
  '/me': 'operation.html#your-account',
  '/system': 'operation.html#system',
  '/system/notifications': 'operation.html#notifications',
  '/system/audit': 'operation.html#audit-log',
  '/system/settings': 'configuration.html',
  '/system/plugins': 'plugins.html',
};

/** The address of the documentation of a page; its start for one that has no place of its own. */
export function helpOf(pathname: string, { tab }: { readonly tab?: unknown } = {}): string {
  const fits = (place: string) => {
    const [start = '', query] = place.split('?');
    const isBelow = pathname === start || pathname.startsWith(`${start}/`);
    return isBelow && (query === undefined || query === `tab=${tab}`);
  };
  const fitting = Object.keys(PLACES)
    .filter(fits)
    .sort((a, b) => b.length - a.length);
  return `/docs/${PLACES[fitting[0] ?? ''] ?? 'index.html'}`;
}
