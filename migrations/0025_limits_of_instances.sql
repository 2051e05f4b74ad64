ALTER TABLE "instance_plan" ADD COLUMN "idle_minutes" double precision;--> statement-breakpoint
ALTER TABLE "instance_plan" ADD COLUMN "idle_percent" double precision;--> statement-breakpoint
ALTER TABLE "instance_plan" ADD COLUMN "idle_from" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "instance_plan" ADD COLUMN "max_usd" numeric;--> statement-breakpoint
ALTER TABLE "instance_plan" ADD COLUMN "spent_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "instance_plan" ADD COLUMN "warn_minutes" double precision;--> statement-breakpoint
ALTER TABLE "instance_plan" ADD COLUMN "ending" jsonb;--> statement-breakpoint
ALTER TABLE "instance_plan" ADD COLUMN "cheaper_percent" double precision;--> statement-breakpoint
ALTER TABLE "instance_plan" ADD COLUMN "cheaper_books" smallint;--> statement-breakpoint
ALTER TABLE "instance_plan" ADD COLUMN "cheaper_of_books" smallint;--> statement-breakpoint
ALTER TABLE "instance_plan" ADD COLUMN "cheaper_action" text;--> statement-breakpoint
ALTER TABLE "instance_plan" ADD COLUMN "cheaper" jsonb;--> statement-breakpoint
ALTER TABLE "instance_plan" ADD CONSTRAINT "instance_plan_cheaper_action" CHECK ("instance_plan"."cheaper_action" in ('notify', 'replace'));