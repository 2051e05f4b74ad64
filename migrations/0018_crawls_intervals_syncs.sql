ALTER TABLE "crawl_run" RENAME TO "crawl";--> statement-breakpoint
ALTER TABLE "price_run" RENAME TO "price_interval";--> statement-breakpoint
ALTER TABLE "billing_reading" RENAME TO "billing_sync";--> statement-breakpoint
ALTER TABLE "billing_staged" RENAME COLUMN "reading_id" TO "sync_id";--> statement-breakpoint
DO $$
DECLARE
	named record;
	renamed text[] := ARRAY['crawl_run', 'crawl', 'price_run', 'price_interval', 'billing_reading', 'billing_sync', 'reading_id', 'sync_id'];
	plain text;
BEGIN
	FOR named IN
		SELECT c.conname AS name, c.conrelid::regclass AS of_table, true AS is_constraint FROM pg_constraint c
		WHERE c.connamespace = current_schema()::regnamespace AND c.conname ~ 'crawl_run|price_run|billing_reading|reading_id'
		UNION ALL
		SELECT i.relname, NULL, false FROM pg_class i
		WHERE i.relnamespace = current_schema()::regnamespace AND i.relkind = 'i' AND i.relname ~ 'crawl_run|price_run|billing_reading|reading_id'
			AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.oid)
	LOOP
		plain := named.name;
		FOR each IN 1..4 LOOP
			plain := replace(plain, renamed[2 * each - 1], renamed[2 * each]);
		END LOOP;
		IF named.is_constraint THEN
			EXECUTE format('ALTER TABLE %s RENAME CONSTRAINT %I TO %I', named.of_table, named.name, plain);
		ELSE
			EXECUTE format('ALTER INDEX %I RENAME TO %I', named.name, plain);
		END IF;
	END LOOP;
	IF to_regclass('offerbook_jobs.job') IS NOT NULL THEN
		EXECUTE $jobs$
			UPDATE offerbook_jobs.job SET data = data - 'runId' || jsonb_build_object('crawlId', data -> 'runId') WHERE data ? 'runId'
		$jobs$;
	END IF;
END
$$;
