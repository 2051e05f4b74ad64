import { settingValues } from '../core/setting-values.ts';
import type { TokenLimits } from './rent/token-limits.sql.ts';

const { positive, whole } = settingValues;

/** Parsers of the variables. */
export const agentLimitValues = {
  AGENT_MAX_USD_PER_HOUR: positive.optional(),
  AGENT_MAX_INSTANCES: whole(0, 1_000_000).optional(),
  AGENT_MAX_RENTS_PER_DAY: whole(0, 1_000_000).optional(),
} as const;

type Values = { [Name in keyof typeof agentLimitValues]?: number | undefined };

/** Returns the limits of each token that acts through MCP, beside its own. */
export const agentLimitsOf = (values: Values): TokenLimits => ({
  maxUsdPerHour: values.AGENT_MAX_USD_PER_HOUR ?? null,
  maxInstances: values.AGENT_MAX_INSTANCES ?? null,
  maxRentsPerDay: values.AGENT_MAX_RENTS_PER_DAY ?? null,
});
