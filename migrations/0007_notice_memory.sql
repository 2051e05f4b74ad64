ALTER TABLE "rule_state" ADD COLUMN "judged_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "watch" ADD COLUMN "report_since" timestamp with time zone;