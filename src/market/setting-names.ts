/** What the settings of a market are called, for messages. */
export interface SettingNames {
  kind: string;
  url: string;
  apiKey: string;
  actApiKey: string;
  dialect: string;
}

/** The names behind a prefix: that of the one market, or `MARKET_CLORE_` of one that MARKETS calls clore. */
export const settingNames = (prefix = 'MARKET_'): SettingNames => ({
  kind: `${prefix}KIND`,
  url: `${prefix}URL`,
  apiKey: `${prefix}API_KEY`,
  actApiKey: `${prefix}ACT_API_KEY`,
  dialect: `${prefix}DIALECT`,
});
