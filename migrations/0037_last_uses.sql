ALTER TABLE "credential" DROP CONSTRAINT "credential_kind";--> statement-breakpoint
ALTER TABLE "credential" ADD COLUMN "last_used_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "credential" ADD COLUMN "last_used_from" text;--> statement-breakpoint
ALTER TABLE "credential" ADD CONSTRAINT "credential_kind" CHECK ("credential"."kind" in ('token', 'session', 'login', 'person'));