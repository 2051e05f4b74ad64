ALTER TABLE "delivery" DROP CONSTRAINT "delivery_state";--> statement-breakpoint
UPDATE "delivery" SET "state" = 'failed' WHERE "state" = 'dead';--> statement-breakpoint
ALTER TABLE "delivery" ADD CONSTRAINT "delivery_state" CHECK ("delivery"."state" in ('queued', 'sent', 'refused', 'failed'));--> statement-breakpoint
UPDATE "billing_sync" SET "walk" = "walk" - 'givenUp' || jsonb_build_object('failedParts', "walk" -> 'givenUp') WHERE "walk" ? 'givenUp';
