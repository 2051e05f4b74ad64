ALTER TABLE "crawl_run" ADD COLUMN "source" text;--> statement-breakpoint
ALTER TABLE "scope" ADD COLUMN "deletions" integer DEFAULT 0 NOT NULL;