CREATE TABLE "alert" (
	"id" uuid PRIMARY KEY NOT NULL,
	"rule_id" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"book_id" integer,
	"value" double precision,
	"baseline" double precision,
	"previous" double precision,
	"notice" text NOT NULL,
	"held_until" timestamp with time zone,
	"suppressed" text,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "channel" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"config" jsonb NOT NULL,
	"secret" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "channel_name" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "delivery" (
	"id" uuid PRIMARY KEY NOT NULL,
	"place" bigint GENERATED ALWAYS AS IDENTITY (sequence name "delivery_place_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"channel_id" uuid NOT NULL,
	"notice" text NOT NULL,
	"kind" text NOT NULL,
	"title" text NOT NULL,
	"watch_id" uuid,
	"rule_id" uuid,
	"state" text DEFAULT 'queued' NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"first_attempt_at" timestamp with time zone,
	"next_attempt_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	"problem" text,
	CONSTRAINT "delivery_state" CHECK ("delivery"."state" in ('queued', 'sent', 'refused', 'dead'))
);
--> statement-breakpoint
CREATE TABLE "rule" (
	"id" uuid PRIMARY KEY NOT NULL,
	"market_id" integer NOT NULL,
	"watch_id" uuid,
	"kind" text NOT NULL,
	"params" jsonb NOT NULL,
	"m" smallint NOT NULL,
	"n" smallint NOT NULL,
	"hysteresis_percent" double precision NOT NULL,
	"cooldown_minutes" integer NOT NULL,
	"rearm" jsonb NOT NULL,
	"quiet_hours" jsonb,
	"daily_cap" integer,
	"digest" jsonb,
	"channel_ids" uuid[] NOT NULL,
	"enabled" boolean NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rule_progress" (
	"scope_id" integer NOT NULL,
	"type" "pricing_type" NOT NULL,
	"observed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "rule_progress_scope_id_type_pk" PRIMARY KEY("scope_id","type")
);
--> statement-breakpoint
CREATE TABLE "rule_state" (
	"rule_id" uuid PRIMARY KEY NOT NULL,
	"state" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "watch_report" (
	"watch_id" uuid PRIMARY KEY NOT NULL,
	"sent_at" timestamp with time zone NOT NULL,
	"observed_at" timestamp with time zone NOT NULL,
	"items" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "watch" ADD COLUMN "channel_ids" uuid[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "watch" ADD COLUMN "report_cron" text;--> statement-breakpoint
ALTER TABLE "watch" ADD COLUMN "report_time_zone" text;--> statement-breakpoint
ALTER TABLE "alert" ADD CONSTRAINT "alert_rule_id_rule_id_fk" FOREIGN KEY ("rule_id") REFERENCES "public"."rule"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "delivery" ADD CONSTRAINT "delivery_channel_id_channel_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channel"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rule" ADD CONSTRAINT "rule_market_id_market_id_fk" FOREIGN KEY ("market_id") REFERENCES "public"."market"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rule" ADD CONSTRAINT "rule_watch_id_watch_id_fk" FOREIGN KEY ("watch_id") REFERENCES "public"."watch"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rule_progress" ADD CONSTRAINT "rule_progress_scope_id_scope_id_fk" FOREIGN KEY ("scope_id") REFERENCES "public"."scope"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rule_state" ADD CONSTRAINT "rule_state_rule_id_rule_id_fk" FOREIGN KEY ("rule_id") REFERENCES "public"."rule"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "watch_report" ADD CONSTRAINT "watch_report_watch_id_watch_id_fk" FOREIGN KEY ("watch_id") REFERENCES "public"."watch"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "alert_rule" ON "alert" USING btree ("rule_id","at");--> statement-breakpoint
CREATE INDEX "alert_held" ON "alert" USING btree ("held_until") WHERE held_until is not null;--> statement-breakpoint
CREATE INDEX "delivery_queued" ON "delivery" USING btree ("channel_id","place") WHERE state = 'queued';--> statement-breakpoint
CREATE INDEX "delivery_newest" ON "delivery" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "rule_watch" ON "rule" USING btree ("watch_id");--> statement-breakpoint
CREATE INDEX "rule_market" ON "rule" USING btree ("market_id");