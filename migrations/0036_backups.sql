CREATE TABLE "backup" (
	"id" uuid PRIMARY KEY NOT NULL,
	"place" text NOT NULL,
	"name" text NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone NOT NULL,
	"outcome" text NOT NULL,
	"reason" text,
	"bytes" bigint,
	"tables" integer,
	"rows" bigint,
	"checked" text,
	CONSTRAINT "backup_outcome" CHECK ("backup"."outcome" in ('good', 'failed')),
	CONSTRAINT "backup_checked" CHECK ("backup"."checked" in ('restored', 'read'))
);
--> statement-breakpoint
CREATE INDEX "backup_outcome" ON "backup" USING btree ("outcome","started_at");