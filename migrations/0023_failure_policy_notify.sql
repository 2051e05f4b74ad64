ALTER TABLE "rental" DROP CONSTRAINT "rental_on_failure";--> statement-breakpoint
UPDATE "rental" SET "on_failure" = 'notify' WHERE "on_failure" = 'tell';--> statement-breakpoint
UPDATE "rental" SET "request" = "request" || '{"onFailure": "notify"}' WHERE "request" ->> 'onFailure' = 'tell';--> statement-breakpoint
ALTER TABLE "rental" ADD CONSTRAINT "rental_on_failure" CHECK ("rental"."on_failure" in ('notify', 'replace'));
