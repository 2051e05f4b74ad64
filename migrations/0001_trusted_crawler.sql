CREATE TABLE "billing_entry" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "billing_entry_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"market_id" integer NOT NULL,
	"kind" text NOT NULL,
	"identity" text NOT NULL,
	"ordinal" integer NOT NULL,
	"start_at" timestamp with time zone NOT NULL,
	"first_seen_at" timestamp with time zone NOT NULL,
	"last_seen_at" timestamp with time zone NOT NULL,
	"missed_readings" smallint DEFAULT 0 NOT NULL,
	"disappeared_at" timestamp with time zone,
	CONSTRAINT "billing_entry_identity" UNIQUE("market_id","kind","identity","ordinal"),
	CONSTRAINT "billing_entry_kind" CHECK ("billing_entry"."kind" in ('invoice', 'charge'))
);
--> statement-breakpoint
CREATE TABLE "billing_reading" (
	"id" uuid PRIMARY KEY NOT NULL,
	"market_id" integer NOT NULL,
	"kind" text NOT NULL,
	"from_at" timestamp with time zone,
	"to_at" timestamp with time zone,
	"started_at" timestamp with time zone NOT NULL,
	"advanced_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	"state" text NOT NULL,
	"reason" text,
	"whole" boolean DEFAULT false NOT NULL,
	"turn" integer DEFAULT 0 NOT NULL,
	"pages" integer DEFAULT 0 NOT NULL,
	"rows" integer DEFAULT 0 NOT NULL,
	"first_total" integer,
	"last_total" integer,
	"walk" jsonb NOT NULL,
	"certificate" jsonb NOT NULL,
	CONSTRAINT "billing_reading_kind" CHECK ("billing_reading"."kind" in ('invoice', 'charge')),
	CONSTRAINT "billing_reading_state" CHECK ("billing_reading"."state" in ('open', 'complete', 'partial', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "billing_staged" (
	"reading_id" uuid NOT NULL,
	"page" integer NOT NULL,
	"place" integer NOT NULL,
	"round" smallint NOT NULL,
	"rejected" text,
	"identity" text,
	"content_hash" text,
	"start_at" timestamp with time zone,
	"entry" jsonb,
	"raw" text,
	CONSTRAINT "billing_staged_reading_id_page_place_pk" PRIMARY KEY("reading_id","page","place")
);
--> statement-breakpoint
CREATE TABLE "billing_version" (
	"entry_id" bigint NOT NULL,
	"seen_from" timestamp with time zone NOT NULL,
	"seen_to" timestamp with time zone NOT NULL,
	"content_hash" text NOT NULL,
	"start_at" timestamp with time zone NOT NULL,
	"end_at" timestamp with time zone,
	"type" text,
	"source" text,
	"service" text,
	"description" text,
	"invoice_id" bigint,
	"instance_id" bigint,
	"label" text,
	"template_id" bigint,
	"item_type" text,
	"item_description" text,
	"item_start_at" timestamp with time zone,
	"item_end_at" timestamp with time zone,
	"amount_usd" numeric NOT NULL,
	"charge_usd" numeric,
	"raw" text NOT NULL,
	CONSTRAINT "billing_version_entry_id_seen_from_pk" PRIMARY KEY("entry_id","seen_from")
);
--> statement-breakpoint
CREATE TABLE "request_budget" (
	"market_id" integer NOT NULL,
	"endpoint" text NOT NULL,
	"granted" bigint DEFAULT 0 NOT NULL,
	"throttled" bigint DEFAULT 0 NOT NULL,
	"yield_until" timestamp with time zone,
	"person_until" timestamp with time zone,
	CONSTRAINT "request_budget_market_id_endpoint_pk" PRIMARY KEY("market_id","endpoint")
);
--> statement-breakpoint
CREATE TABLE "request_grant" (
	"market_id" integer NOT NULL,
	"endpoint" text NOT NULL,
	"number" bigint NOT NULL,
	"granted_at" timestamp with time zone NOT NULL,
	CONSTRAINT "request_grant_market_id_endpoint_number_pk" PRIMARY KEY("market_id","endpoint","number")
);
--> statement-breakpoint
CREATE TABLE "instance" (
	"market_id" integer NOT NULL,
	"instance_id" bigint NOT NULL,
	"first_seen_at" timestamp with time zone NOT NULL,
	"last_seen_at" timestamp with time zone NOT NULL,
	"gone_at" timestamp with time zone,
	"actual_status" text,
	"intended_status" text,
	"current_state" text,
	"next_state" text,
	"status_message" text,
	"machine_id" bigint,
	"host_id" bigint,
	"gpu_name" text,
	"num_gpus" smallint,
	"type" "pricing_type",
	"label" text,
	"image" text,
	"template_id" bigint,
	"started_at" timestamp with time zone,
	"ends_at" timestamp with time zone,
	"ssh_host" text,
	"ssh_port" integer,
	"public_ip" text,
	"gpu_util_percent" double precision,
	"disk_space_gb" double precision,
	"disk_used_gb" double precision,
	"base_usd_per_hour" double precision,
	"listed_usd_per_hour" double precision,
	"storage_usd_per_gb_month" double precision,
	"min_bid_usd_per_hour" double precision,
	"inet_down_usd_per_gb" double precision,
	"inet_up_usd_per_gb" double precision,
	"raw" text NOT NULL,
	CONSTRAINT "instance_market_id_instance_id_pk" PRIMARY KEY("market_id","instance_id")
);
--> statement-breakpoint
CREATE TABLE "instance_poll" (
	"market_id" integer NOT NULL,
	"polled_at" timestamp with time zone NOT NULL,
	"instances" integer NOT NULL,
	"unidentified" integer NOT NULL,
	CONSTRAINT "instance_poll_market_id_polled_at_pk" PRIMARY KEY("market_id","polled_at")
);
--> statement-breakpoint
CREATE TABLE "instance_sample" (
	"market_id" integer NOT NULL,
	"instance_id" bigint NOT NULL,
	"polled_at" timestamp with time zone NOT NULL,
	"gpu_util_percent" double precision,
	"disk_used_gb" double precision,
	CONSTRAINT "instance_sample_market_id_instance_id_polled_at_pk" PRIMARY KEY("market_id","instance_id","polled_at")
);
--> statement-breakpoint
CREATE TABLE "instance_status" (
	"market_id" integer NOT NULL,
	"instance_id" bigint NOT NULL,
	"observed_at" timestamp with time zone NOT NULL,
	"actual_status" text,
	"intended_status" text,
	"gone" boolean DEFAULT false NOT NULL,
	CONSTRAINT "instance_status_market_id_instance_id_observed_at_pk" PRIMARY KEY("market_id","instance_id","observed_at")
);
--> statement-breakpoint
CREATE TABLE "watch" (
	"id" uuid PRIMARY KEY NOT NULL,
	"market_id" integer NOT NULL,
	"scope_id" integer NOT NULL,
	"name" text NOT NULL,
	"filters" jsonb NOT NULL,
	"profile" jsonb NOT NULL,
	"rank_by" text NOT NULL,
	"top" smallint NOT NULL,
	"cron" text NOT NULL,
	"time_zone" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "watch_name" UNIQUE("market_id","name")
);
--> statement-breakpoint
ALTER TABLE "crawl_run" ADD COLUMN "tick_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "crawl_run" ADD COLUMN "job_id" uuid;--> statement-breakpoint
ALTER TABLE "scope" ADD COLUMN "gpu_names" text[];--> statement-breakpoint
ALTER TABLE "scope" ADD COLUMN "rentable" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "billing_entry" ADD CONSTRAINT "billing_entry_market_id_market_id_fk" FOREIGN KEY ("market_id") REFERENCES "public"."market"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_reading" ADD CONSTRAINT "billing_reading_market_id_market_id_fk" FOREIGN KEY ("market_id") REFERENCES "public"."market"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_staged" ADD CONSTRAINT "billing_staged_reading_id_billing_reading_id_fk" FOREIGN KEY ("reading_id") REFERENCES "public"."billing_reading"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_version" ADD CONSTRAINT "billing_version_entry_id_billing_entry_id_fk" FOREIGN KEY ("entry_id") REFERENCES "public"."billing_entry"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "request_budget" ADD CONSTRAINT "request_budget_market_id_market_id_fk" FOREIGN KEY ("market_id") REFERENCES "public"."market"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "request_grant" ADD CONSTRAINT "request_grant_market_id_endpoint_request_budget_market_id_endpoint_fk" FOREIGN KEY ("market_id","endpoint") REFERENCES "public"."request_budget"("market_id","endpoint") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "instance" ADD CONSTRAINT "instance_market_id_market_id_fk" FOREIGN KEY ("market_id") REFERENCES "public"."market"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "instance_poll" ADD CONSTRAINT "instance_poll_market_id_market_id_fk" FOREIGN KEY ("market_id") REFERENCES "public"."market"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "watch" ADD CONSTRAINT "watch_market_id_market_id_fk" FOREIGN KEY ("market_id") REFERENCES "public"."market"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "watch" ADD CONSTRAINT "watch_scope_id_scope_id_fk" FOREIGN KEY ("scope_id") REFERENCES "public"."scope"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "billing_entry_start" ON "billing_entry" USING btree ("market_id","kind","start_at");--> statement-breakpoint
CREATE INDEX "billing_entry_missed" ON "billing_entry" USING btree ("market_id","kind","start_at") WHERE "billing_entry"."missed_readings" > 0 and "billing_entry"."disappeared_at" is null;--> statement-breakpoint
CREATE INDEX "billing_reading_started" ON "billing_reading" USING btree ("market_id","kind","started_at");--> statement-breakpoint
CREATE INDEX "billing_staged_start" ON "billing_staged" USING btree ("reading_id","round","start_at");--> statement-breakpoint
CREATE INDEX "billing_version_current" ON "billing_version" USING btree ("entry_id") WHERE "billing_version"."seen_to" = 'infinity';--> statement-breakpoint
CREATE INDEX "instance_sample_polled" ON "instance_sample" USING btree ("polled_at");--> statement-breakpoint
CREATE INDEX "crawl_run_series" ON "crawl_run" USING btree ("market_id","kind","scope_name","type","started_at");--> statement-breakpoint
CREATE INDEX "crawl_run_outcomes" ON "crawl_run" USING btree ("market_id","kind","scope_name","type","outcome");