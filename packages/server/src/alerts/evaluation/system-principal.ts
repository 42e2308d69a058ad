import type { Principal } from '#core/index.ts';

/** Evaluates rules: their authors were checked when they wrote them. */
export const ALERTS_PRINCIPAL: Principal = {
  userId: 'system:alerts',
  username: 'alerts',
  can: () => true,
};
