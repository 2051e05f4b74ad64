-- A rule that compares prices names its metric. Those that are there go on with what they were compared by: what their
-- watch ranks by, or the price a GPU where it ranks by dlperf in a market that gives none.
UPDATE "rule" r SET "params" = jsonb_build_object('metric',
  CASE WHEN w."rank_by" = 'usdPerDlperfHour' AND NOT EXISTS (
    SELECT FROM "listing_attribute" a JOIN "listing" l ON l."id" = a."listing_id"
    WHERE l."market_id" = r."market_id" AND a."dlperf" > 0) THEN 'usdPerGpuHour'
  ELSE w."rank_by" END) || r."params"
FROM "watch" w
WHERE w."id" = r."watch_id" AND NOT r."params" ? 'metric'
  AND r."kind" IN ('priceBelow', 'percentileBelow', 'lowestInDays', 'changePercent');
