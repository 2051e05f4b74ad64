CREATE TABLE "push_key" (
	"id" smallint PRIMARY KEY DEFAULT 1 NOT NULL,
	"public_key" text NOT NULL,
	"private_key" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "push_key_single" CHECK ("push_key"."id" = 1)
);
--> statement-breakpoint
ALTER TABLE "channel" ADD COLUMN "off_reason" text;