ALTER TABLE "market" ADD COLUMN "days_dropped_before" date;--> statement-breakpoint
ALTER TABLE "scope" ADD COLUMN "hours_from" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "scope" ADD COLUMN "days_stored" boolean DEFAULT true NOT NULL;
--> statement-breakpoint
-- Which days of attributes are gone is not told by any row: by default they go after two weeks.
UPDATE "market" m SET "days_dropped_before" = (
	SELECT (max(b."observed_at") AT TIME ZONE 'UTC')::date - 14
	FROM "book" b JOIN "scope" s ON s."id" = b."scope_id" WHERE s."market_id" = m."id"
) WHERE m."kind" <> 'recorded';--> statement-breakpoint
-- Hours are stored after the last one that has books and no point, dropped or never made.
UPDATE "scope" s SET "hours_from" = (
	SELECT max(date_trunc('hour', b."observed_at", 'UTC')) + interval '1 hour' FROM "book" b
	WHERE b."scope_id" = s."id" AND EXISTS (
		SELECT FROM (
			SELECT 0::smallint AS "model" WHERE b."verdict" = 'complete'
			UNION ALL SELECT c."gpu_model_id" FROM "book_slice" c
			WHERE c."book_id" = b."id" AND b."verdict" <> 'complete' AND c."verdict" = 'complete'
				AND c."gpu_model_id" IS NOT NULL
		) "covered" WHERE NOT EXISTS (
			SELECT FROM "hour_point" p WHERE p."scope_id" = b."scope_id" AND p."type" = b."type"
				AND p."gpu_model_id" = "covered"."model" AND p."num_gpus" = 0 AND p."verification_tier_id" = 0
				AND p."t" = date_trunc('hour', b."observed_at", 'UTC')
		)
	)
);--> statement-breakpoint
-- Days and weeks are there from the first book on, or were never made.
UPDATE "scope" s SET "days_stored" = false WHERE EXISTS (
	SELECT FROM "book" b WHERE b."scope_id" = s."id" AND EXISTS (
		SELECT FROM (
			SELECT 0::smallint AS "model" WHERE b."verdict" = 'complete'
			UNION ALL SELECT c."gpu_model_id" FROM "book_slice" c
			WHERE c."book_id" = b."id" AND b."verdict" <> 'complete' AND c."verdict" = 'complete'
				AND c."gpu_model_id" IS NOT NULL
		) "covered" WHERE NOT EXISTS (
			SELECT FROM "day_point" p WHERE p."scope_id" = b."scope_id" AND p."type" = b."type"
				AND p."gpu_model_id" = "covered"."model" AND p."num_gpus" = 0 AND p."verification_tier_id" = 0
				AND p."t" = date_trunc('day', b."observed_at", 'UTC')
		)
	)
);
