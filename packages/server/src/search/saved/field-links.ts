import { type FieldLinks, fieldLinksSchema } from '@millrace/contract';
import type { AuditLog, Caller } from '#core/index.ts';
import type { Metadata } from '#metadata/index.ts';

/** Links from values of fields to other systems, the same for all users: `trace_id` to the trace, for instance. */
export interface FieldLinkSettings {
  list(): Promise<FieldLinks>;
  /** Replaces all of them. Stored and audited when the promise resolves. */
  replace(caller: Caller, links: FieldLinks): Promise<FieldLinks>;
}

export interface FieldLinkDeps {
  readonly metadata: Metadata;
  readonly audit: AuditLog;
}

const KEY = 'field_links';

export function createFieldLinkSettings({ metadata, audit }: FieldLinkDeps): FieldLinkSettings {
  const { clusterSettings } = metadata.repositories;
  const list = async (): Promise<FieldLinks> => {
    const { data } = fieldLinksSchema.safeParse(await clusterSettings.find(KEY));
    return data ?? [];
  };
  return {
    list,
    async replace({ principal, remoteAddress }, links) {
      const before = await list();
      await clusterSettings.set(KEY, links);
      await audit.record({
        actor: principal.username,
        address: remoteAddress,
        action: 'field_links.update',
        objectType: 'field_links',
        objectId: KEY,
        before,
        after: links,
      });
      return links;
    },
  };
}
