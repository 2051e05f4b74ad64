CREATE TABLE "standing_order" (
	"id" uuid PRIMARY KEY NOT NULL,
	"market_id" integer NOT NULL,
	"name" text NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"waiting_for" text,
	"waiting_reason" text,
	"count" smallint NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"budget_usd" numeric,
	"choices" jsonb NOT NULL,
	"request" jsonb NOT NULL,
	"sealed_request" text,
	"channel_ids" uuid[] NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"armed_at" timestamp with time zone,
	"dry_run" jsonb,
	"judged_books" text,
	CONSTRAINT "standing_order_name" UNIQUE("market_id","name"),
	CONSTRAINT "standing_order_state" CHECK ("standing_order"."state" in ('draft', 'armed', 'paused', 'filled', 'expired', 'out-of-budget', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "standing_order_attempt" (
	"order_id" uuid NOT NULL,
	"attempt" integer NOT NULL,
	"choice" smallint NOT NULL,
	"book_id" integer NOT NULL,
	"offer_id" bigint NOT NULL,
	"machine_id" bigint NOT NULL,
	"usd_per_hour" numeric NOT NULL,
	"max_usd_per_hour" numeric NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"tries" smallint NOT NULL,
	"outcome" text NOT NULL,
	"reason" text,
	CONSTRAINT "standing_order_attempt_order_id_attempt_pk" PRIMARY KEY("order_id","attempt"),
	CONSTRAINT "standing_order_attempt_outcome" CHECK ("standing_order_attempt"."outcome" in ('open', 'held', 'rented', 'refused', 'not-rented', 'offer-gone', 'above-price',
        'not-rentable'))
);
--> statement-breakpoint
ALTER TABLE "standing_order" ADD CONSTRAINT "standing_order_market_id_market_id_fk" FOREIGN KEY ("market_id") REFERENCES "public"."market"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "standing_order_attempt" ADD CONSTRAINT "standing_order_attempt_order_id_standing_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."standing_order"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "standing_order_state" ON "standing_order" USING btree ("market_id","state");