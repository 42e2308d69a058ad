import type { ConfigurationOf } from '#core/index.ts';
import { bindFields, connectionFields, tlsFields } from '../../inputs/net/fields.ts';

export const pairsTcpFields = { ...bindFields(5555), ...connectionFields, ...tlsFields };

export type PairsTcpConfig = ConfigurationOf<typeof pairsTcpFields>;
