/** Names of a market's settings, for messages. */
export interface SettingNames {
  kind: string;
  url: string;
  apiKey: string;
  actApiKey: string;
  dialect: string;
}

/** Returns the names after a prefix: the single market's, or `MARKET_CLORE_` for one named clore in MARKETS. */
export const settingNames = (prefix = 'MARKET_'): SettingNames => ({
  kind: `${prefix}KIND`,
  url: `${prefix}URL`,
  apiKey: `${prefix}API_KEY`,
  actApiKey: `${prefix}ACT_API_KEY`,
  dialect: `${prefix}DIALECT`,
});
