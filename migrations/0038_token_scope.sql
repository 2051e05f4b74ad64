ALTER TABLE "credential" ADD COLUMN "markets" text[];--> statement-breakpoint
ALTER TABLE "credential" ADD COLUMN "label" text;