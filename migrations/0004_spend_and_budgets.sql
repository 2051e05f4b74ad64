CREATE TABLE "budget" (
	"id" uuid PRIMARY KEY NOT NULL,
	"market_id" integer NOT NULL,
	"label" text,
	"monthly_usd" numeric NOT NULL,
	"alert_at" numeric[] NOT NULL,
	"block_rentals" boolean NOT NULL,
	"time_zone" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "budget_label" UNIQUE NULLS NOT DISTINCT("market_id","label"),
	CONSTRAINT "budget_monthly_usd" CHECK ("budget"."monthly_usd" > 0)
);
--> statement-breakpoint
CREATE TABLE "sheet_link" (
	"id" uuid PRIMARY KEY NOT NULL,
	"market_id" integer NOT NULL,
	"export" text NOT NULL,
	"query" jsonb NOT NULL,
	"note" text,
	"token_hash" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"revoked_at" timestamp with time zone,
	"last_read_at" timestamp with time zone,
	CONSTRAINT "sheet_link_token" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "statement_balance" (
	"id" uuid PRIMARY KEY NOT NULL,
	"market_id" integer NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"amount_usd" numeric NOT NULL,
	"entered_at" timestamp with time zone NOT NULL,
	"entered_by" text NOT NULL,
	CONSTRAINT "statement_balance_at" UNIQUE("market_id","at")
);
--> statement-breakpoint
ALTER TABLE "budget" ADD CONSTRAINT "budget_market_id_market_id_fk" FOREIGN KEY ("market_id") REFERENCES "public"."market"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sheet_link" ADD CONSTRAINT "sheet_link_market_id_market_id_fk" FOREIGN KEY ("market_id") REFERENCES "public"."market"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statement_balance" ADD CONSTRAINT "statement_balance_market_id_market_id_fk" FOREIGN KEY ("market_id") REFERENCES "public"."market"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "billing_version_instance" ON "billing_version" USING btree ("instance_id") WHERE "billing_version"."instance_id" is not null;