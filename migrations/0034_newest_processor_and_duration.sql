ALTER TABLE "latest_offer" ADD COLUMN "cpu_name" text;--> statement-breakpoint
ALTER TABLE "latest_offer" ADD COLUMN "max_duration_hours" double precision;