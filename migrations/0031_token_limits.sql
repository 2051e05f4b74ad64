ALTER TABLE "credential" ADD COLUMN "max_usd_per_hour" numeric;--> statement-breakpoint
ALTER TABLE "credential" ADD COLUMN "max_instances" integer;--> statement-breakpoint
ALTER TABLE "credential" ADD COLUMN "max_rents_per_day" integer;